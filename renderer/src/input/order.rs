//! The keyboard's way through a surface: paint order, one stop a group, layers beside what opened them, trapped in a modal one.

use crate::component::Registry;
use crate::measure::EXTENSION;
use crate::scene::{LayerInfo, Scene};

use super::role;

/// Where the keyboard focus went.
#[derive(Clone, Debug, PartialEq)]
pub enum FocusMove {
    Node {
        id: String,
    },
    /// An extension leaf: the host moves the focus into the surface inside it.
    Nested {
        slot: u32,
        id: String,
    },
    /// There is no further stop that way: the focus belongs to whatever comes after this surface.
    Exhausted,
    /// Nothing has the focus.
    Nowhere,
}

/// A step of the keyboard focus through a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FocusStep {
    First,
    Last,
    Next,
    Previous,
}

/// Every tab stop, in order. `current` stands for its group in place of the group's usual member.
pub(crate) fn stops(scene: &Scene, registry: &Registry, current: Option<u32>) -> Vec<u32> {
    let mut walk = Walk {
        scene,
        registry,
        current,
        out: Vec::new(),
        groups: Vec::new(),
        spliced: Vec::new(),
    };
    let layers = scene.layers();
    match layers.iter().rposition(|l| l.modal) {
        Some(top) => {
            walk.visit(layers[top].root);
            for l in layers[top + 1..].iter() {
                walk.layer(l);
            }
        }
        None => {
            if let Some(root) = scene.root() {
                walk.visit(root);
            }
            for l in layers {
                walk.layer(l);
            }
        }
    }
    walk.finish()
}

/// The stops inside one subtree.
pub(crate) fn stops_in(scene: &Scene, registry: &Registry, root: u32) -> Vec<u32> {
    let mut walk = Walk {
        scene,
        registry,
        current: None,
        out: Vec::new(),
        groups: Vec::new(),
        spliced: scene.layers().iter().map(|l| l.root).collect(),
    };
    walk.visit(root);
    walk.finish()
}

/// The members of a group in order, disabled ones left out.
pub(crate) fn members(scene: &Scene, registry: &Registry, slot: u32) -> Vec<u32> {
    let Some(node) = scene.node(slot) else {
        return Vec::new();
    };
    let n = &node.placed;
    let (Some(owner), Some(part)) = (&n.owner, &n.part) else {
        return vec![slot];
    };
    let mut out = Vec::new();
    each(scene, root_of(scene, slot), &mut |s| {
        if let Some(m) = scene.node(s)
            && m.placed.owner.as_ref() == Some(owner)
            && m.placed.part.as_ref() == Some(part)
            && role::focusable(m, registry.of(&m.placed))
        {
            out.push(s);
        }
    });
    out
}

/// The root of the tree a node is in: the surface's, or its layer's.
pub(crate) fn root_of(scene: &Scene, slot: u32) -> u32 {
    let mut at = slot;
    let mut guard = 0;
    while let Some(p) = scene.node(at).and_then(|n| n.placed.parent) {
        at = p;
        guard += 1;
        if guard > 4096 {
            break;
        }
    }
    at
}

/// The node and what it is in, up to the root of its tree.
pub(crate) fn ancestors(scene: &Scene, slot: u32) -> impl Iterator<Item = u32> + '_ {
    std::iter::successors(Some(slot), |s| scene.node(*s)?.placed.parent).take(4096)
}

/// Every shown node of a subtree in paint order.
pub(crate) fn each(scene: &Scene, slot: u32, f: &mut dyn FnMut(u32)) {
    let Some(node) = scene.node(slot) else {
        return;
    };
    if node.placed.hidden || node.look.gone {
        return;
    }
    f(slot);
    for c in &node.placed.children {
        each(scene, *c, f);
    }
}

struct Walk<'a> {
    scene: &'a Scene,
    registry: &'a Registry,
    current: Option<u32>,
    /// Stops, each with its group.
    out: Vec<(u32, Option<usize>)>,
    /// Owner, part and chosen member of each group met.
    groups: Vec<(String, String, u32)>,
    /// Layers already walked.
    spliced: Vec<u32>,
}

impl Walk<'_> {
    fn layer(&mut self, l: &LayerInfo) {
        if !self.spliced.contains(&l.root) {
            self.spliced.push(l.root);
            self.visit(l.root);
        }
    }

    fn visit(&mut self, slot: u32) {
        let Some(node) = self.scene.node(slot) else {
            return;
        };
        if node.placed.hidden || node.look.gone {
            return;
        }
        let n = &node.placed;
        if role::focusable(node, self.registry.of(n)) && role::stops(n) {
            match role::rove(n).and(n.owner.as_ref().zip(n.part.as_ref())) {
                Some((owner, part)) => self.member(slot, owner, part, role::selected(n)),
                None => self.out.push((slot, None)),
            }
        }
        if n.component != EXTENSION {
            for c in &n.children {
                self.visit(*c);
            }
        }
        // What the node opened follows it.
        let id = &n.id;
        for l in self
            .scene
            .layers()
            .iter()
            .filter(|l| !l.modal && l.owner == *id)
        {
            self.layer(l);
        }
    }

    fn member(&mut self, slot: u32, owner: &str, part: &str, selected: bool) {
        let known = self
            .groups
            .iter()
            .position(|(o, p, _)| o == owner && p == part);
        match known {
            Some(g) => {
                let chosen = self.groups[g].2;
                let better =
                    self.current == Some(slot) || (selected && self.current != Some(chosen));
                if better {
                    self.groups[g].2 = slot;
                }
            }
            None => {
                self.groups
                    .push((owner.to_string(), part.to_string(), slot));
                self.out.push((slot, Some(self.groups.len() - 1)));
            }
        }
    }

    fn finish(self) -> Vec<u32> {
        let groups = self.groups;
        self.out
            .into_iter()
            .map(|(slot, group)| group.map_or(slot, |g| groups[g].2))
            .collect()
    }
}
