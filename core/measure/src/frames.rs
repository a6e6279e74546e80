//! Frames of video streams on their way: a frame has arrived with the last of its packets.
//!
//! Each packet of a frame is a message, and all are generated in one cycle. [`Frames`] keeps which
//! messages belong to one frame. It sees every message of a video flow when it is generated, and
//! when it is delivered or dropped.

use std::collections::BTreeMap;

/// The frames of which messages are under way.
#[derive(Debug, Clone, Default)]
pub struct Frames {
    /// Per flow: the number of the frame of each message under way. A frame has the number of its
    /// first message. Flows without frames have none, so their messages are not looked up.
    of_messages: Vec<BTreeMap<u32, u32>>,
    frames: BTreeMap<u32, Frame>,
    /// The frame of which each source has still to generate messages.
    open: BTreeMap<u32, u32>,
}

/// A frame.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// Messages neither delivered nor dropped.
    left: u32,
    /// True if none was dropped.
    is_whole: bool,
}

impl Frames {
    /// No frames, of this many flows.
    pub fn new(flows: usize) -> Self {
        Self { of_messages: vec![BTreeMap::new(); flows], ..Self::default() }
    }

    /// A source of a flow generates a message of a frame, of which `left` messages are still to
    /// come, this one included.
    pub fn generate(&mut self, flow: u32, source: u32, message: u32, left: u32) {
        let frame = *self.open.entry(source).or_insert_with(|| {
            self.frames.insert(message, Frame { left, is_whole: true });
            message
        });
        self.of_messages[flow as usize].insert(message, frame);
        if left == 1 {
            self.open.remove(&source);
        }
    }

    /// A message of a flow is delivered. Returns whether a frame is complete with it.
    #[inline]
    pub fn deliver(&mut self, flow: u32, message: u32) -> bool {
        self.end(flow, message, true)
    }

    /// A message of a flow is dropped, and its frame will never be complete.
    pub fn drop(&mut self, flow: u32, message: u32) {
        self.end(flow, message, false);
    }

    #[inline]
    fn end(&mut self, flow: u32, message: u32, is_delivered: bool) -> bool {
        let Some(number) = self.of_messages[flow as usize].remove(&message) else { return false };
        let frame = self.frames.get_mut(&number).expect("a message belongs to a frame");
        frame.left -= 1;
        frame.is_whole &= is_delivered;
        let is_complete = frame.left == 0 && frame.is_whole;
        if frame.left == 0 {
            self.frames.remove(&number);
        }
        is_complete
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_complete_with_its_last_message_in_whatever_order() {
        let mut frames = Frames::new(2);
        // Two sources generate at once, and another message comes between.
        for (source, message, left) in [(0, 10, 3), (1, 11, 2), (0, 12, 2), (1, 14, 1), (0, 15, 1)]
        {
            frames.generate(1, source, message, left);
        }
        let complete: Vec<u32> = [15, 13, 10, 11, 14, 12]
            .into_iter()
            .filter(|&message| frames.deliver(1, message))
            .collect();
        assert_eq!(complete, [14, 12]);
        assert!(frames.frames.is_empty() && frames.open.is_empty());
        assert!(frames.of_messages.iter().all(BTreeMap::is_empty));
    }

    #[test]
    fn a_frame_without_one_of_its_messages_never_completes() {
        let mut frames = Frames::new(1);
        (0..3).for_each(|message| frames.generate(0, 4, message, 3 - message));
        assert!(!frames.deliver(0, 0));
        frames.drop(0, 2);
        assert!(!frames.deliver(0, 1));
        frames.generate(0, 4, 3, 1);
        assert!(frames.deliver(0, 3));
    }
}
