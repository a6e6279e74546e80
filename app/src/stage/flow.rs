//! The motion of the chevrons on moving worms.
//!
//! Chevrons move with the flits, but never faster than eyes can follow, so that they show the
//! direction at every speed of the run. While the run stands, their position depends on the cycle
//! only: the same moment always gives the same picture.

/// Distance by which chevrons move in a cycle, stage units.
const PER_CYCLE: f64 = 8.0;
/// Greatest speed of the chevrons, stage units per second.
const FASTEST: f64 = 70.0;
/// Longest time that counts between two frames, milliseconds. Chevrons that moved by half their
/// distance in it would seem to move back.
const LONGEST_MS: f64 = 70.0;

/// How far the chevrons have moved.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Flow {
    /// Whether the run plays.
    pub plays: bool,
    /// Whether the user asked for reduced motion: chevrons stand still.
    pub is_still: bool,
    travelled: f64,
    cycle: u64,
    at_ms: f64,
}

impl Flow {
    /// Takes the cycle of the frame that is drawn at this time.
    pub fn advance(&mut self, cycle: u64, now_ms: f64) {
        let passed_ms = (now_ms - self.at_ms).clamp(0.0, LONGEST_MS);
        let cycles = cycle.saturating_sub(self.cycle) as f64;
        self.travelled = match (self.is_still, self.plays) {
            (true, _) => 0.0,
            (false, true) => {
                self.travelled + (cycles * PER_CYCLE).min(passed_ms / 1000.0 * FASTEST)
            }
            (false, false) => cycle as f64 * PER_CYCLE,
        };
        (self.cycle, self.at_ms) = (cycle, now_ms);
    }

    /// Distance of the first chevron from the start of a lane, for chevrons this far apart.
    pub fn phase(&self, apart: f32) -> f32 {
        (self.travelled % f64::from(apart)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const APART: f32 = 11.0;

    #[test]
    fn chevrons_move_with_the_flits_of_a_slow_run_and_at_most_at_their_own_speed() {
        let mut flow = Flow { plays: true, ..Flow::default() };
        flow.advance(1, 50.0);
        assert!((f64::from(flow.phase(1000.0)) - FASTEST * 0.05).abs() < 0.01);
        flow.advance(1_000_000, 100.0);
        assert!((f64::from(flow.phase(1000.0)) - FASTEST * 0.1).abs() < 0.01);
        let before = flow;
        flow.advance(1_000_000, 200.0);
        assert_eq!(flow.phase(APART), before.phase(APART));
    }

    #[test]
    fn a_run_that_stands_looks_the_same_whatever_came_before() {
        let mut one = Flow { plays: true, ..Flow::default() };
        one.advance(500, 90.0);
        one.plays = false;
        let mut other = Flow::default();
        other.advance(900, 10.0);
        for flow in [&mut one, &mut other] {
            flow.advance(700, 99.0);
        }
        assert_eq!(one.phase(APART), other.phase(APART));
        one.advance(701, 99.0);
        assert_ne!(one.phase(APART), other.phase(APART));
    }

    #[test]
    fn under_reduced_motion_chevrons_stand() {
        let mut flow = Flow { plays: true, is_still: true, ..Flow::default() };
        flow.advance(500, 90.0);
        assert_eq!(flow.phase(APART), 0.0);
    }
}
