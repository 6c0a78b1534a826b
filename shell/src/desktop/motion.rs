//! How what the shell itself moves gets from one place to another: the theme's duration and easing, between 120 and 200 ms, never past
//! its end, and not at all under reduced motion.

use eui_core::animation::cubic_bezier;

use super::style::Style;

/// The shortest and the longest movement (ms).
const SHORTEST: f64 = 120.0;
const LONGEST: f64 = 200.0;

/// A movement's course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// How long it takes (ms); 0 is at once.
    pub ms: f64,
    /// A cubic Bézier.
    ease: [f64; 4],
}

impl Motion {
    pub fn of(style: &Style) -> Motion {
        let tokens = &style.theme().tokens;
        let ms = tokens.motion.get("standard").copied().unwrap_or(SHORTEST);
        let ease = tokens
            .ease
            .get("standard")
            .and_then(|e| e.as_slice().try_into().ok());
        Motion {
            ms: if style.reduced_motion {
                0.0
            } else {
                ms.clamp(SHORTEST, LONGEST)
            },
            ease: ease.unwrap_or([0.2, 0.0, 0.0, 1.0]),
        }
    }

    /// How much of the way is behind it after `elapsed` ms: 0 at its start, 1 at its end. A theme whose easing swings past the end
    /// stops there: a panel does not bounce.
    pub fn at(&self, elapsed: f64) -> f32 {
        if elapsed >= self.ms {
            return 1.0;
        }
        cubic_bezier(self.ease, (elapsed / self.ms).max(0.0)).clamp(0.0, 1.0) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_starts_ends_and_never_goes_past_its_end() {
        let swinging = Motion {
            ms: 200.0,
            ease: [0.34, 1.56, 0.64, 1.0],
        };
        assert_eq!((swinging.at(0.0), swinging.at(200.0)), (0.0, 1.0));
        assert!((0..200).all(|t| (0.0..=1.0).contains(&swinging.at(f64::from(t)))));
        let none = Motion {
            ms: 0.0,
            ..swinging
        };
        assert_eq!(none.at(0.0), 1.0);
    }
}
