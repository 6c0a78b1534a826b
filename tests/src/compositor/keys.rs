//! From the names of keys to their codes, by the keymap the clients get.

use xkbcommon::xkb;

use super::keyboard::Modifiers;

/// xkb counts keys from 8 where evdev counts from 0.
const XKB_OFFSET: u32 = 8;

/// The right Alt key. Layouts put its symbol on a key that no keyboard has as well, so it is not looked up.
const ALTGR: u32 = 100;

/// Short names for the modifiers of a chord.
const SHORT: &[(&str, &str)] = &[
    ("ctrl", "Control_L"),
    ("shift", "Shift_L"),
    ("alt", "Alt_L"),
    ("super", "Super_L"),
];

/// A keyboard's layout and what is held down on it.
pub(crate) struct Keys {
    keymap: xkb::Keymap,
    state: xkb::State,
}

impl Keys {
    /// A layout such as `us`, `de` or `us` with the variant `intl`. None when the system has no such layout.
    pub fn new(layout: &str, variant: &str) -> Option<Self> {
        let context = xkb::Context::new(xkb::CONTEXT_NO_FLAGS);
        let flags = xkb::KEYMAP_COMPILE_NO_FLAGS;
        let keymap =
            xkb::Keymap::new_from_names(&context, "evdev", "pc105", layout, variant, None, flags)?;
        let state = xkb::State::new(&keymap);
        Some(Self { keymap, state })
    }

    pub fn text(&self) -> String {
        self.keymap.get_as_string(xkb::KEYMAP_FORMAT_TEXT_V1)
    }

    /// A key went down or up: the modifiers after it.
    pub fn update(&mut self, code: u32, pressed: bool) -> Modifiers {
        let direction = if pressed {
            xkb::KeyDirection::Down
        } else {
            xkb::KeyDirection::Up
        };
        self.state.update_key((code + XKB_OFFSET).into(), direction);
        Modifiers {
            depressed: self.state.serialize_mods(xkb::STATE_MODS_DEPRESSED),
            latched: self.state.serialize_mods(xkb::STATE_MODS_LATCHED),
            locked: self.state.serialize_mods(xkb::STATE_MODS_LOCKED),
            group: self.state.serialize_layout(xkb::STATE_LAYOUT_EFFECTIVE),
        }
    }

    /// The evdev code of a key by its name (`Return`, `Left`, `ctrl`) or by what it writes (`a`, `é`), with the
    /// modifiers that must be held for it. None when the layout has no such key.
    pub fn find(&self, name: &str) -> Option<(u32, Vec<u32>)> {
        if name == "altgr" {
            return Some((ALTGR, Vec::new()));
        }
        let name = SHORT
            .iter()
            .find(|(short, _)| *short == name)
            .map_or(name, |(_, long)| *long);
        let mut letters = name.chars();
        let keysym = match (letters.next(), letters.next()) {
            (Some(letter), None) => xkb::utf32_to_keysym(letter.into()),
            _ => xkb::keysym_from_name(name, xkb::KEYSYM_NO_FLAGS),
        };
        let (code, level) = self.place(keysym)?;
        let held = match level {
            0 => &[][..],
            1 => &["shift"],
            2 => &["altgr"],
            _ => &["shift", "altgr"],
        };
        let held = held
            .iter()
            .map(|name| self.find(name).map(|(code, _)| code))
            .collect::<Option<_>>()?;
        Some((code, held))
    }

    /// The presses (true) and releases of a chord such as `a`, `Return` or `ctrl+shift+Left`, in their order.
    pub fn chord(&self, chord: &str) -> Option<Vec<(u32, bool)>> {
        let names = if chord == "+" {
            vec![chord]
        } else {
            chord.split('+').collect()
        };
        let mut codes = Vec::new();
        for name in names {
            let (code, held) = self.find(name)?;
            codes.extend(held);
            codes.push(code);
        }
        let presses = codes.iter().map(|code| (*code, true));
        Some(
            presses
                .chain(codes.iter().rev().map(|code| (*code, false)))
                .collect(),
        )
    }

    /// Where a symbol is, on the lowest level that has it.
    fn place(&self, keysym: xkb::Keysym) -> Option<(u32, u32)> {
        let keys = self.keymap.min_keycode().raw()..=self.keymap.max_keycode().raw();
        let places = keys.flat_map(|key| {
            let levels = 0..self.keymap.num_levels_for_key(key.into(), 0);
            levels.map(move |level| (level, key))
        });
        let has = |(level, key): &(u32, u32)| {
            self.keymap
                .key_get_syms_by_level((*key).into(), 0, *level)
                .contains(&keysym)
        };
        places
            .filter(has)
            .min()
            .map(|(level, key)| (key - XKB_OFFSET, level))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_letter_is_found_with_what_must_be_held_for_it() {
        let keys = Keys::new("us", "").unwrap();
        assert_eq!(keys.find("a"), Some((30, vec![])));
        assert_eq!(keys.find("A"), Some((30, vec![42])));
        assert_eq!(keys.find("Return"), Some((28, vec![])));
        assert_eq!(keys.find("ctrl"), Some((29, vec![])));
        assert_eq!(keys.find("å"), None);
        let german = Keys::new("de", "").unwrap();
        assert_eq!(
            german.find("z"),
            Some((21, vec![])),
            "the y of an English keyboard"
        );
        assert_eq!(german.find("@"), Some((16, vec![100])));
    }
}
