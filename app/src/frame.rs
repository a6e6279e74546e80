//! The layout of a frame: one picture of the network at one cycle, as 32-bit little-endian words.
//!
//! | word | holds |
//! | --- | --- |
//! | 0 | [`MAGIC`], which also tells the layout's version |
//! | 1 | words used; the buffer may be longer |
//! | 2 | document number (see [`crate::protocol`]) |
//! | 3, 4 | cycle, low and high half |
//! | 5 | flags: 1 time passes, 2 deadlock |
//! | 6 | number of sections |
//! | 7.. | per section: [`Section`] number, first word, number of records |
//!
//! Then the sections' records, each [`Section::record_words`] long. A reader skips sections it does not know.

/// "HSF1".
pub const MAGIC: u32 = u32::from_le_bytes(*b"HSF1");

const HEADER_WORDS: usize = 7;
const ENTRY_WORDS: usize = 3;

/// Set in the flags while time passes.
pub const PLAYING: u32 = 1;
/// Set in the flags when the network is deadlocked.
pub const DEADLOCK: u32 = 2;

/// The kinds of record a frame can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Section {
    /// One per channel, in the order of channel ids: share of recent time carrying flits (low 16 bits) and blocked
    /// (high 16 bits), in 1/65535.
    ChannelUse = 1,
    /// One per stretch of a worm on a channel: channel; message; first (low 16 bits) and last (high 16 bits) place
    /// of the stretch on the channel, in flits from its upstream end; bits 1 head, 2 tail, 4 blocked.
    WormSpans = 2,
    /// One per channel: flits in the buffer at its downstream end (low 16 bits), 65536 if that buffer has sent STOP.
    Buffers = 3,
    /// One per host: messages waiting to enter the network (low 16 bits), in-transit messages held (high 16 bits).
    Hosts = 4,
}

impl Section {
    /// Words per record.
    pub const fn record_words(self) -> usize {
        match self {
            Section::ChannelUse | Section::Buffers | Section::Hosts => 1,
            Section::WormSpans => 4,
        }
    }
}

/// Writes one frame into memory that is used again for the next.
#[derive(Default)]
pub struct FrameWriter {
    words: Vec<u32>,
    sections: usize,
}

impl FrameWriter {
    /// The most sections a frame has.
    const MAX_SECTIONS: usize = 8;

    /// Begins a frame, forgetting the one before.
    pub fn begin(&mut self, document: u32, cycle: u64, flags: u32) {
        self.words.clear();
        self.words.extend([MAGIC, 0, document, cycle as u32, (cycle >> 32) as u32, flags, 0]);
        self.words.resize(HEADER_WORDS + Self::MAX_SECTIONS * ENTRY_WORDS, 0);
        self.sections = 0;
    }

    /// Adds a section of N-word records; N must be the section's record length.
    pub fn section<const N: usize>(&mut self, section: Section, records: impl Iterator<Item = [u32; N]>) {
        assert_eq!(N, section.record_words(), "{section:?}");
        assert!(self.sections < Self::MAX_SECTIONS, "too many sections");
        let first = self.words.len();
        self.words.extend(records.flatten());
        let entry = HEADER_WORDS + self.sections * ENTRY_WORDS;
        let count = (self.words.len() - first) / N;
        self.words[entry..entry + ENTRY_WORDS].copy_from_slice(&[section as u32, first as u32, count as u32]);
        self.sections += 1;
    }

    /// The frame.
    pub fn finish(&mut self) -> &[u32] {
        self.words[1] = self.words.len() as u32;
        self.words[6] = self.sections as u32;
        &self.words
    }
}

/// Reads a frame.
#[derive(Clone, Copy)]
pub struct Frame<'a>(&'a [u32]);

impl<'a> Frame<'a> {
    /// The frame in a buffer, or None if there is none or it is cut short.
    pub fn new(words: &'a [u32]) -> Option<Frame<'a>> {
        let used = *words.get(1)? as usize;
        let frame = words.get(..used)?;
        (used >= HEADER_WORDS && frame[0] == MAGIC).then_some(Frame(frame))
    }

    /// Which scenario it shows.
    pub fn document(self) -> u32 {
        self.0[2]
    }

    /// When.
    pub fn cycle(self) -> u64 {
        u64::from(self.0[3]) | u64::from(self.0[4]) << 32
    }

    /// [`PLAYING`], [`DEADLOCK`].
    pub fn flags(self) -> u32 {
        self.0[5]
    }

    /// A section's records, none if the frame lacks it.
    pub fn section(self, section: Section) -> std::slice::ChunksExact<'a, u32> {
        let size = section.record_words();
        self.entry(section)
            .and_then(|(first, count)| self.0.get(first..first.checked_add(count.checked_mul(size)?)?))
            .unwrap_or(&[])
            .chunks_exact(size)
    }

    fn entry(self, section: Section) -> Option<(usize, usize)> {
        let entries = self.0[HEADER_WORDS..].chunks_exact(ENTRY_WORDS).take(self.0[6] as usize);
        let found = entries.into_iter().find(|entry| entry[0] == section as u32)?;
        Some((found[1] as usize, found[2] as usize))
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn sample(writer: &mut FrameWriter) -> Vec<u32> {
        writer.begin(7, (5 << 32) + 9, PLAYING);
        writer.section(Section::ChannelUse, (0..3).map(|channel| [channel * 10]));
        writer.section(Section::WormSpans, [[1, 2, 3, 4], [5, 6, 7, 8]].into_iter());
        writer.section(Section::Hosts, std::iter::empty::<[u32; 1]>());
        writer.finish().to_vec()
    }

    #[test]
    fn reads_what_was_written() {
        let mut writer = FrameWriter::default();
        sample(&mut writer);
        let mut words = sample(&mut writer);
        words.extend([0; 100]); // a buffer longer than the frame
        let frame = Frame::new(&words).expect("a frame");
        assert_eq!((frame.document(), frame.cycle(), frame.flags()), (7, (5 << 32) + 9, PLAYING));
        let channels: Vec<u32> = frame.section(Section::ChannelUse).map(|record| record[0]).collect();
        assert_eq!(channels, [0, 10, 20]);
        let worms: Vec<&[u32]> = frame.section(Section::WormSpans).collect();
        assert_eq!(worms, [[1, 2, 3, 4], [5, 6, 7, 8]]);
        assert_eq!(frame.section(Section::Hosts).len(), 0);
        assert_eq!(frame.section(Section::Buffers).len(), 0);
    }

    #[test]
    fn refuses_what_is_no_frame() {
        let words = sample(&mut FrameWriter::default());
        assert!(Frame::new(&[]).is_none());
        assert!(Frame::new(&[0; 64]).is_none());
        assert!(Frame::new(&words[..words.len() - 1]).is_none());
    }
}
