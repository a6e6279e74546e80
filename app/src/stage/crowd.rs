//! Whether there are too many worms to be told apart, and which are drawn then.
//!
//! [`Crowd::update`] takes every frame and remembers since when each message waits.
//! [`Crowd::judge`] compares the worms on links in view with the length of these links.

use super::camera::Camera;
use super::picture::Picture;
use super::worms;
use hopscope_core::observe::Snapshot;
use std::collections::{BTreeMap, BTreeSet};

/// Length of link for each worm on it, at least, CSS pixels.
const PIXELS_PER_WORM: f32 = 40.0;
/// A crowd ends only when each worm has this many times as much.
const ENDS_AT: f32 = 1.4;
/// Worms that live for fewer frames are as hard to tell apart as more of them. At this many cycles
/// per frame, each needs twice the length.
const DOUBLED_AT: f32 = 40.0;
/// The same for each arrow that says which worm waits for which.
const PIXELS_PER_WAIT: f32 = 100.0;
/// Links that cross each other give no more space than one link per this many pixels would.
const LINKS_APART: f32 = 80.0;
/// Number of worms drawn of a crowd, those that have waited longest.
const LONGEST: usize = 8;

/// How crowded the links are.
#[derive(Debug, Default)]
pub struct Crowd {
    /// The cycle of the first frame in which each waiting message was seen to wait.
    since: BTreeMap<u32, u64>,
    /// Cycles between the last two frames.
    pace: u64,
    cycle: u64,
    is_dense: bool,
}

impl Crowd {
    /// Takes the next frame.
    pub fn update(&mut self, picture: &Picture, frame: &Snapshot) {
        let spans = frame.spans.iter().filter(|span| worms::is_held_up(picture, span));
        let since = spans.map(|span| {
            let before = self.since.get(&span.message).filter(|since| **since <= frame.cycle);
            (span.message, before.copied().unwrap_or(frame.cycle))
        });
        self.since = since.collect();
        self.pace = frame.cycle.saturating_sub(self.cycle);
        self.cycle = frame.cycle;
    }

    /// Whether the worms in view are too many to be told apart.
    pub fn judge(
        &mut self,
        picture: &Picture,
        frame: &Snapshot,
        camera: &Camera,
        plays: bool,
    ) -> bool {
        let sees = |channel: usize| {
            let lane = picture.lanes.get(channel).filter(|_| channel < 2 * picture.cables);
            lane.is_some_and(|lane| camera.sees(lane.start, lane.end))
        };
        let length: f32 =
            (0..2 * picture.cables).filter(|&c| sees(c)).map(|c| picture.lanes[c].length).sum();
        // A cable has two lanes.
        let length =
            (length / 2.0 * camera.scale).min(camera.size[0] * camera.size[1] / LINKS_APART);
        let spans = frame.spans.iter().filter(|span| sees(span.channel as usize));
        // A worm counts on each channel that it holds.
        let mut worms: Vec<[u32; 2]> = spans.map(|span| [span.channel, span.message]).collect();
        worms.sort_unstable();
        worms.dedup();
        let pace = if plays { self.pace as f32 } else { 0.0 };
        let factor = if self.is_dense { ENDS_AT } else { 1.0 };
        let needed = worms.len() as f32 * PIXELS_PER_WORM * (1.0 + pace / DOUBLED_AT);
        let needed = needed.max(frame.waits.len() as f32 * PIXELS_PER_WAIT);
        self.is_dense = needed * factor > length;
        self.is_dense
    }

    /// The messages of a crowd that have waited longest.
    pub fn longest(&self) -> BTreeSet<u32> {
        let mut waiting: Vec<(u64, u32)> =
            self.since.iter().map(|(m, since)| (*since, *m)).collect();
        if waiting.len() > LONGEST {
            waiting.select_nth_unstable(LONGEST);
            waiting.truncate(LONGEST);
        }
        waiting.into_iter().map(|(_, message)| message).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopscope_core::observe::{Place, Span};

    fn line() -> Picture {
        let json = r#"{"hopscope":1,"network":{"switches":[{"ports":4,"x":0,"y":0},{"ports":4,"x":440,"y":0}],
            "hosts":[{"switch":0}],"links":[{"a":[0,0],"b":[1,0]}]}}"#;
        Picture::of(&serde_json::from_str(json).expect("a scenario"))
    }

    fn frame(cycle: u64, worms: u32, blocked: fn(u32) -> bool) -> Snapshot {
        let span = |message| Span {
            message,
            channel: 0,
            place: Place::Link,
            lane: 0,
            level: 0,
            head: true,
            blocked: blocked(message),
            front: 0,
            flits: 1,
        };
        Snapshot { cycle, spans: (0..worms).map(span).collect(), ..Snapshot::default() }
    }

    #[test]
    fn ten_worms_fill_four_hundred_pixels_and_fewer_do_at_a_high_speed() {
        let picture = line();
        let camera = Camera { centre: [220.0, 0.0], scale: 1.0, size: [800.0, 600.0] };
        let mut crowd = Crowd::default();
        let mut judge = |cycle, worms, plays, camera: &Camera| {
            let frame = frame(cycle, worms, |_| false);
            crowd.update(&picture, &frame);
            crowd.judge(&picture, &frame, camera, plays)
        };
        assert!(!judge(1, 9, true, &camera));
        assert!(judge(2, 11, true, &camera));
        // It does not come and go with every worm.
        assert!(judge(3, 9, true, &camera));
        assert!(!judge(4, 5, true, &camera));
        assert!(judge(204, 5, true, &camera));
        assert!(!judge(404, 5, false, &camera));
        let closer = Camera { scale: 2.0, ..camera };
        assert!(!judge(405, 11, true, &closer) && judge(406, 11, true, &camera));
    }

    #[test]
    fn those_that_wait_longest_are_known_until_they_move() {
        let picture = line();
        let mut crowd = Crowd::default();
        crowd.update(&picture, &frame(10, 3, |message| message == 2));
        crowd.update(&picture, &frame(20, 40, |message| message > 1));
        let longest = crowd.longest();
        assert_eq!(longest.len(), LONGEST);
        assert!(longest.contains(&2) && !longest.contains(&1));
        crowd.update(&picture, &frame(30, 3, |_| false));
        assert!(crowd.longest().is_empty());
    }
}
