//! Configures that were sent and what was acknowledged: the same rule for xdg, layer and lock surfaces.

/// Configures of one surface, oldest first, each with what it demanded.
#[derive(Debug)]
pub(crate) struct Configures<T> {
    sent: Vec<(u32, T)>,
    acked: Option<T>,
}

impl<T> Default for Configures<T> {
    fn default() -> Self {
        Self {
            sent: Vec::new(),
            acked: None,
        }
    }
}

impl<T> Configures<T> {
    pub fn push(&mut self, serial: u32, demand: T) {
        self.sent.push((serial, demand));
    }

    /// False when no such configure was sent, or a later one was acknowledged already.
    pub fn ack(&mut self, serial: u32) -> bool {
        let Some(at) = self.sent.iter().position(|(sent, _)| *sent == serial) else {
            return false;
        };
        self.acked = self.sent.drain(..=at).next_back().map(|(_, demand)| demand);
        true
    }

    /// What the newest acknowledged configure demanded.
    pub fn acked(&self) -> Option<&T> {
        self.acked.as_ref()
    }

    /// Whether a configure was ever sent since the surface was last unmapped.
    pub fn started(&self) -> bool {
        self.acked.is_some() || !self.sent.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ack_covers_the_older_configures_and_no_ack_comes_twice() {
        let mut configures = Configures::default();
        assert!(!configures.started() && !configures.ack(1));
        configures.push(1, 'a');
        configures.push(2, 'b');
        configures.push(3, 'c');
        assert!(configures.ack(2));
        assert_eq!(configures.acked(), Some(&'b'));
        assert!(!configures.ack(1) && !configures.ack(2));
        assert!(configures.ack(3));
    }
}
