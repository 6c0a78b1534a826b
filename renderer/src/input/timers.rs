//! The few things a view does later. Nothing set means nobody wakes it.

/// What happens when a timer is due.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Timer {
    /// Show the tooltip or hover card of this trigger.
    Tip { trigger: String },
    /// The engine asked to close a hover overlay unless the pointer came back.
    HoverClose { owner: String },
    /// A copy button shows its mark long enough.
    Copied { id: String },
    /// A finger rests: the context menu.
    LongPress,
    /// Scrollbars fade out.
    Scrollbars,
    /// A drag near an edge scrolls on.
    Autoscroll,
}

#[derive(Debug, Default)]
pub(crate) struct Timers {
    set: Vec<(f64, Timer)>,
}

impl Timers {
    /// Set or move a timer.
    pub fn set(&mut self, timer: Timer, at: f64) {
        self.cancel(&timer);
        self.set.push((at, timer));
    }

    pub fn has(&self, timer: &Timer) -> bool {
        self.set.iter().any(|(_, t)| t == timer)
    }

    pub fn cancel(&mut self, timer: &Timer) {
        self.set.retain(|(_, t)| t != timer);
    }

    pub fn cancel_where(&mut self, gone: impl Fn(&Timer) -> bool) {
        self.set.retain(|(_, t)| !gone(t));
    }

    /// Give up every tooltip that waits; their triggers.
    pub fn take_tips(&mut self) -> Vec<String> {
        let mut gone = Vec::new();
        self.set.retain(|(_, t)| match t {
            Timer::Tip { trigger } => {
                gone.push(trigger.clone());
                false
            }
            _ => true,
        });
        gone
    }

    pub fn next(&self) -> Option<f64> {
        self.set.iter().map(|(at, _)| *at).reduce(f64::min)
    }

    /// Take the timers that are due, the earliest first. A wake that comes a little early counts.
    pub fn due(&mut self, now: f64) -> Vec<Timer> {
        let (mut due, later): (Vec<_>, Vec<_>) =
            self.set.drain(..).partition(|(at, _)| *at <= now + 0.5);
        self.set = later;
        due.sort_by(|a, b| a.0.total_cmp(&b.0));
        due.into_iter().map(|(_, t)| t).collect()
    }
}
