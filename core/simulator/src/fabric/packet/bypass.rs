//! Bypass queues: two lanes that share a virtual channel, each with credits of its own.

use super::state::OutputQueue;
use crate::qos::schedulers::{Foremost, Head, Lanes, Scheduler};
use crate::scenario::{BypassQueue, MAX_LEVELS};

/// The bypass queues of a network, and which of the two lanes of each virtual channel sent last at
/// each port.
#[derive(Debug, Clone)]
pub struct Bypass {
    queues: Vec<BypassQueue>,
    /// Per channel: one bit for each virtual channel whose bypass queue sent last.
    last: Vec<u32>,
}

impl Bypass {
    /// The bypass queues of a network with so many channels; `None` if there are none.
    pub fn new(queues: &[BypassQueue], channels: usize) -> Option<Box<Self>> {
        let bypass = Self { queues: queues.to_vec(), last: vec![0; channels] };
        (!queues.is_empty()).then(|| Box::new(bypass))
    }

    /// The lane as which the scheduler sees a lane.
    pub fn lane_of_scheduler(&self, lane: u8) -> u8 {
        self.queues.iter().find(|queue| queue.lane == lane).map_or(lane, |queue| queue.of)
    }

    /// The lane that sends next. The scheduler sees each virtual channel as one lane, with the
    /// packet that would go: that of the lane which can send or, if both can, of the one that did
    /// not send last.
    pub fn next(
        &mut self,
        channel: u32,
        scheduler: &mut Scheduler,
        lanes: Lanes<OutputQueue>,
    ) -> Option<u8> {
        let last = &mut self.last[channel as usize];
        let mut seen = lanes.ready;
        let mut heads = [Head::default(); MAX_LEVELS];
        for (head, queue) in heads.iter_mut().zip(lanes.lanes) {
            *head = queue.head();
        }
        // Virtual channels whose bypass queue would go, one bit each.
        let mut bypassing = 0;
        for &BypassQueue { lane, of } in &self.queues {
            let can_send = |lane: u8| lanes.ready >> lane & 1 == 1;
            if can_send(lane) && (!can_send(of) || *last >> of & 1 == 0) {
                bypassing |= 1 << of;
                heads[usize::from(of)] = heads[usize::from(lane)];
            }
            seen |= u32::from(can_send(lane)) << of;
            seen &= !(1 << lane);
        }
        let chosen = scheduler.next(Lanes { ready: seen, lanes: &heads, now: lanes.now })?;
        let bit = 1 << chosen;
        *last = *last & !bit | bypassing & bit;
        let queue = self.queues.iter().find(|queue| bypassing & bit != 0 && queue.of == chosen);
        Some(queue.map_or(chosen, |queue| queue.lane))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{SchedulerSpec, WrrSpec};

    /// Lane 2 is the bypass queue of lane 0, and lane 1 is alone. The table serves both virtual
    /// channels in turn.
    #[test]
    fn a_bypass_queue_goes_when_the_other_lacks_credits_and_in_turn_when_it_does_not() {
        let mut bypass = Bypass::new(&[BypassQueue { lane: 2, of: 0 }], 1).expect("there is one");
        let spec = SchedulerSpec::Wrr(WrrSpec { table: vec![0, 1] });
        let mut scheduler = Scheduler::new(&spec, "").expect("valid");
        let queues = [OutputQueue::EMPTY; 3];
        let mut next =
            |ready| bypass.next(0, &mut scheduler, Lanes { ready, lanes: &queues, now: 0 });
        assert_eq!([0b100, 0b100, 0b101, 0b101, 0b101].map(&mut next), [2, 2, 0, 2, 0].map(Some));
        assert_eq!([0b111, 0b111, 0b111, 0b111].map(&mut next), [1, 2, 1, 0].map(Some));
        assert_eq!(next(0), None);
    }
}
