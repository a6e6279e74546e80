//! The part of Perfetto's trace format that a timeline needs, written as protobuf.
//!
//! Field numbers are those of `protos/perfetto/trace/` of Perfetto: `trace_packet.proto`,
//! `track_event/track_event.proto`, `track_descriptor.proto`, `counter_descriptor.proto` and
//! `debug_annotation.proto`. A trace is a sequence of packets, so it is written packet by packet.

/// A protobuf message that grows.
#[derive(Debug, Default)]
struct Fields(Vec<u8>);

const VARINT: u32 = 0;
const FIXED64: u32 = 1;
const BYTES: u32 = 2;

impl Fields {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn key(&mut self, field: u32, wire: u32) {
        self.varint(u64::from(field << 3 | wire));
    }

    fn number(&mut self, field: u32, value: u64) {
        self.key(field, VARINT);
        self.varint(value);
    }

    fn fixed(&mut self, field: u32, value: u64) {
        self.key(field, FIXED64);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u32, value: &[u8]) {
        self.key(field, BYTES);
        self.varint(value.len() as u64);
        self.0.extend(value);
    }
}

/// What happens on a track.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A slice begins: its name, the flow that passes through it, and notes of name and text.
    Begin {
        /// Name.
        name: String,
        /// Slices of one flow are joined by arrows.
        flow: u64,
        /// More about it.
        notes: Vec<(&'static str, String)>,
    },
    /// The slice that began last ends.
    End,
    /// A counter has a new value.
    Count(u64),
}

/// A trace being written.
#[derive(Debug, Default)]
pub struct Trace {
    bytes: Vec<u8>,
}

/// All packets are of one sequence.
const SEQUENCE: u64 = 1;

impl Trace {
    /// The trace as a file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Length so far, bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// True if nothing was written.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Declares a track under another one; `parent` 0 for none. A counter has a unit.
    pub fn track(&mut self, uuid: u64, parent: u64, name: &str, unit: Option<&str>) {
        let mut descriptor = Fields::default();
        descriptor.number(1, uuid);
        descriptor.bytes(2, name.as_bytes());
        if parent != 0 {
            descriptor.number(5, parent);
        }
        if let Some(unit) = unit {
            let mut counter = Fields::default();
            counter.bytes(6, unit.as_bytes());
            descriptor.bytes(8, &counter.0);
        }
        let mut packet = Fields::default();
        packet.number(10, SEQUENCE);
        packet.bytes(60, &descriptor.0);
        self.packet(&packet);
    }

    /// Adds an event of a track at a time in nanoseconds.
    pub fn event(&mut self, track: u64, ns: u64, event: &Event) {
        let mut fields = Fields::default();
        fields.number(11, track);
        match event {
            Event::Begin { name, flow, notes } => {
                fields.number(9, 1);
                fields.bytes(23, name.as_bytes());
                fields.fixed(47, *flow);
                for (name, text) in notes {
                    let mut note = Fields::default();
                    note.bytes(10, name.as_bytes());
                    note.bytes(6, text.as_bytes());
                    fields.bytes(4, &note.0);
                }
            }
            Event::End => fields.number(9, 2),
            Event::Count(value) => {
                fields.number(9, 4);
                fields.number(30, *value);
            }
        }
        let mut packet = Fields::default();
        packet.number(8, ns);
        packet.number(10, SEQUENCE);
        packet.bytes(11, &fields.0);
        self.packet(&packet);
    }

    fn packet(&mut self, packet: &Fields) {
        let mut file = Fields(std::mem::take(&mut self.bytes));
        file.bytes(1, &packet.0);
        self.bytes = file.0;
    }
}
