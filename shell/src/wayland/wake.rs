//! Waking up at a moment: one timer that counts, one that follows the clock on the wall.
//!
//! Both are one-shot and off until asked for: an idle desktop has no timer.

use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use calloop::generic::Generic;
use calloop::timer::{TimeoutAction, Timer};
use calloop::{Interest, Mode, PostAction, RegistrationToken};
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::{Instant, SystemTime};

/// Why `woke` was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// The moment of [`Platform::wake_at`].
    Timer,
    /// The moment of [`Platform::wake_at_wall`]; `jumped` if the clock was set, or the machine slept, instead.
    Wall { jumped: bool },
}

/// The loop and the platform both need the descriptor.
#[derive(Clone)]
struct Shared(Arc<OwnedFd>);

impl AsFd for Shared {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[derive(Default)]
pub(super) struct Wakes {
    timer: Option<RegistrationToken>,
    wall: Option<Shared>,
}

const ZERO: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

impl Platform {
    /// Call `woke` once at this moment, in place of the one set before; `None`: not at all.
    pub fn wake_at(&mut self, moment: Option<Instant>) {
        if let Some(token) = self.wakes.timer.take() {
            self.handle.remove(token);
        }
        let Some(moment) = moment else { return };
        let timer = self.handle.insert_source(
            Timer::from_deadline(moment),
            |_, (), runtime: &mut Runtime| {
                runtime.platform.wakes.timer = None;
                runtime.platform.notices.push(Notice::Woke(Wake::Timer));
                TimeoutAction::Drop
            },
        );
        match timer {
            Ok(token) => self.wakes.timer = Some(token),
            Err(error) => tracing::error!("no timer: {error}"),
        }
    }

    /// Call `woke` once when the clock on the wall shows this, or when it is set or the machine wakes from sleep before
    /// that; in place of the one set before. `None`: not at all.
    pub fn wake_at_wall(&mut self, moment: Option<SystemTime>) {
        if self.wakes.wall.is_none() && moment.is_some() {
            self.wakes.wall = self.wall_timer();
        }
        let Some(timer) = &self.wakes.wall else {
            return;
        };
        let since = moment.and_then(|moment| moment.duration_since(SystemTime::UNIX_EPOCH).ok());
        let value = since.map_or(ZERO, |since| Timespec {
            tv_sec: i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: since.subsec_nanos().into(),
        });
        let flags = TimerfdTimerFlags::ABSTIME | TimerfdTimerFlags::CANCEL_ON_SET;
        match timerfd_settime(
            timer,
            flags,
            &Itimerspec {
                it_interval: ZERO,
                it_value: value,
            },
        ) {
            // Cancelled: the clock was set between the last wake and now, which the next read tells as well.
            Ok(_) | Err(Errno::CANCELED) => {}
            Err(error) => tracing::error!("no wall clock timer: {error}"),
        }
    }

    fn wall_timer(&self) -> Option<Shared> {
        let fd = timerfd_create(
            TimerfdClockId::Realtime,
            TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC,
        );
        let timer = match fd {
            Ok(fd) => Shared(Arc::new(fd)),
            Err(error) => {
                tracing::error!("no wall clock timer: {error}");
                return None;
            }
        };
        let source = Generic::new(timer.clone(), Interest::READ, Mode::Level);
        let inserted = self
            .handle
            .insert_source(source, |_, timer, runtime: &mut Runtime| {
                let mut count = [0; 8];
                let jumped = match rustix::io::read(timer.as_fd(), &mut count) {
                    Ok(_) => false,
                    Err(Errno::CANCELED) => true,
                    Err(_) => return Ok(PostAction::Continue),
                };
                runtime
                    .platform
                    .notices
                    .push(Notice::Woke(Wake::Wall { jumped }));
                Ok(PostAction::Continue)
            });
        inserted
            .map_err(|error| tracing::error!("no wall clock timer: {error}"))
            .ok()
            .map(|_| timer)
    }
}
