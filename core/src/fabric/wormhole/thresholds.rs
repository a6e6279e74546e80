//! The receiving side of a channel: when its buffer crosses the STOP and GO marks.

use super::state::{Front, NEVER, Receiver};
use super::{Kind, Wormhole, phase};
use crate::engine::Cycle;

impl Wormhole {
    /// Works out when the buffer will next cross a mark, by what is announced, looking at the end of cycle `from`
    /// and later. To be called whenever what arrives or what moves out has changed.
    #[inline(always)]
    pub(super) fn predict(&mut self, c: u32, from: Cycle) {
        let channel = &mut self.channels[c as usize];
        if channel.stop_sent {
            self.predict_mark(c, from);
        } else if channel.draining || channel.wire.total() < channel.removed + self.params.stop {
            // While flits move out, as many as arrive at most, the buffer does not fill. Nor does it without enough flits.
            channel.crossing = false;
        } else if channel.receiver == Receiver::Switch || channel.front == Front::Waiting {
            self.predict_mark(c, from);
        }
    }

    #[inline(never)]
    fn predict_mark(&mut self, c: u32, from: Cycle) {
        let channel = &self.channels[c as usize];
        let delay = u64::from(channel.delay);
        let at = if !channel.stop_sent {
            match channel.wire.when_sent(channel.removed + self.params.stop) {
                Some(sent) => (sent + delay).max(from),
                None => NEVER,
            }
        } else {
            let occupancy = channel.occupancy(from);
            if occupancy <= self.params.go {
                from
            } else if channel.draining {
                let excess = occupancy - self.params.go;
                let at = channel.wire.when_idle((from + 1).saturating_sub(delay), excess) + delay;
                if at < channel.drain_from + u64::from(channel.drain_left) { at } else { NEVER }
            } else {
                NEVER
            }
        };
        let channel = &mut self.channels[c as usize];
        let announced = channel.crossing && channel.cross_at == at;
        channel.crossing = at != NEVER;
        channel.cross_at = at;
        if channel.crossing && !announced {
            self.at(at, phase::READ, Kind::Decide, c);
        }
    }

    /// Sends the symbols due at the end of this cycle, and looks for wait cycles after that.
    #[inline]
    pub(super) fn decide_all(&mut self) {
        while let Some(c) = self.deciding.pop() {
            self.decide(c);
        }
        while let Some(c) = self.suspects.pop() {
            self.check_deadlock(c);
        }
    }

    /// A mark is crossed at the end of this cycle: the symbol goes out.
    fn decide(&mut self, c: u32) {
        let now = self.now;
        let channel = &mut self.channels[c as usize];
        if !channel.crossing || channel.cross_at != now {
            return;
        }
        channel.crossing = false;
        channel.stop_sent = !channel.stop_sent;
        channel.symbols += 1;
        let kind = if channel.stop_sent { Kind::Stop } else { Kind::Go };
        let effect = now + u64::from(channel.delay);
        self.at(effect, phase::ARRIVE, kind, c);
        self.predict(c, now + 1);
    }
}
