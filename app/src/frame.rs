//! The layout of a frame: a [`Snapshot`] as 32-bit little-endian words. A value of 64 bits takes
//! two words, the low half first.
//!
//! | word | content |
//! | --- | --- |
//! | 0 | [`MAGIC`] |
//! | 1 | words used; the buffer may be longer |
//! | 2 | document number (see [`crate::protocol`]) |
//! | 3 | number of channels |
//! | 4 | number of hosts |
//! | 5 | number of spans |
//! | 6 | number of service levels |
//! | 7 | number of waits |
//! | 8 | number of set-aside queues |
//! | 9 to 20 | 64 bits each: cycle; generated; delivered; dropped; payload; network latency sum |
//!
//! Then follow the records:
//!
//! | record | words | content |
//! | --- | --- | --- |
//! | channel | 5 | busy cycles and blocked cycles (64 bits each); flags and occupancy |
//! | host | 6 | locally waiting; in transit; ITB memory; in-transit queue; ITBs handled (64 bits) |
//! | span | 5 | message; channel; front; flits; place and flags |
//! | service level | 6 | delivered, flits delivered, network latency sum (64 bits each) |
//! | wait | 4 | message; at; wants; holder |
//! | set-aside queue | 5 | channel and port; its point's channel; packets; credits; line |
//!
//! The words of several values, from the lowest bit:
//!
//! * channel: occupancy (28 bits), stopped, STOP sent, held, blocked;
//! * host: waiting in transit (31 bits), sending in transit;
//! * span: place (3 bits), head, blocked, lane (5 bits), service level (5 bits);
//! * channel and port of a set-aside queue: channel (31 bits), at the input;
//! * its line: number (8 bits), service level plus one or 0 (8 bits), xoff, marked, stopping,
//!   linked.
//!
//! Page and worker are of one build, so the layout needs no compatibility. A frame of 1000 channels
//! and 2000 spans has 60 kB.

use hopscope_core::observe::{
    ChannelState, CongestedPoint, HostState, LevelState, Place, Saq, Snapshot, Span, Wait,
};

/// "HSF4".
pub const MAGIC: u32 = u32::from_le_bytes(*b"HSF4");

const CHANNEL_WORDS: usize = 5;
const HOST_WORDS: usize = 6;
const SPAN_WORDS: usize = 5;
const LEVEL_WORDS: usize = 6;
const WAIT_WORDS: usize = 4;
const SAQ_WORDS: usize = 5;
const HEADER_WORDS: usize = 9;
const TOTALS: usize = 6;
const OCCUPANCY_BITS: u32 = 28;

/// Writes a snapshot of a document as a frame; replaces the content of `words`.
pub fn encode(document: u32, snapshot: &Snapshot, words: &mut Vec<u32>) {
    words.clear();
    let s = snapshot;
    let counts = [s.channels.len(), s.hosts.len(), s.spans.len(), s.levels.len()];
    words.extend([MAGIC, 0, document]);
    words.extend(counts.map(|count| count as u32));
    words.extend([s.waits.len(), s.saqs.len()].map(|count| count as u32));
    words.extend(totals(snapshot).into_iter().flat_map(halves));
    for channel in &snapshot.channels {
        words.extend(halves(channel.busy_cycles));
        words.extend(halves(channel.blocked_cycles));
        let bits = [channel.stopped, channel.stop_sent, channel.held, channel.blocked];
        let bits = bits.iter().rev().fold(0, |bits, bit| bits << 1 | u32::from(*bit));
        words.push(channel.occupancy | bits << OCCUPANCY_BITS);
    }
    for host in &snapshot.hosts {
        let queued = host.transit_waiting | u32::from(host.sending_transit) << 31;
        words.extend([host.local_waiting, host.in_transit, host.itb_memory, queued]);
        words.extend(halves(host.itbs_handled));
    }
    for span in &snapshot.spans {
        let bits = span.place as u32 | u32::from(span.head) << 3 | u32::from(span.blocked) << 4;
        let bits = bits | u32::from(span.lane) << 5 | u32::from(span.level) << 10;
        words.extend([span.message, span.channel, span.front, span.flits, bits]);
    }
    for level in &snapshot.levels {
        let sums = [level.delivered, level.flits_delivered, level.network_latency_sum];
        words.extend(sums.into_iter().flat_map(halves));
    }
    words.extend(
        snapshot.waits.iter().flat_map(|wait| [wait.message, wait.at, wait.wants, wait.holder]),
    );
    for saq in &snapshot.saqs {
        let bits = [saq.xoff, saq.marked, saq.stopping, saq.linked];
        let bits = bits.iter().rev().fold(0, |bits, bit| bits << 1 | u32::from(*bit));
        let level = saq.point.level.map_or(0, |level| u32::from(level) + 1);
        let line = u32::from(saq.number) | level << 8 | bits << 16;
        let port = saq.channel | u32::from(saq.at_input) << 31;
        words.extend([port, saq.point.channel, saq.packets, saq.credits, line]);
    }
    words[1] = words.len() as u32;
}

/// Reads a frame into `snapshot` and returns the number of its document. If the words are no frame,
/// returns `None` and leaves `snapshot` as it is.
pub fn decode(words: &[u32], snapshot: &mut Snapshot) -> Option<u32> {
    let words = words.get(..*words.get(1)? as usize)?;
    let (&[magic, _, document, channels, hosts, spans, levels, waits, saqs], rest) =
        words.split_first_chunk::<HEADER_WORDS>()?;
    let (totals, rest) = rest.split_at_checked(2 * TOTALS)?;
    let (channels, rest) =
        rest.split_at_checked((channels as usize).checked_mul(CHANNEL_WORDS)?)?;
    let (hosts, rest) = rest.split_at_checked((hosts as usize).checked_mul(HOST_WORDS)?)?;
    let (spans, rest) = rest.split_at_checked((spans as usize).checked_mul(SPAN_WORDS)?)?;
    let (level_words, rest) = rest.split_at_checked((levels as usize).checked_mul(LEVEL_WORDS)?)?;
    let (wait_words, saq_words) =
        rest.split_at_checked((waits as usize).checked_mul(WAIT_WORDS)?)?;
    if magic != MAGIC || Some(saq_words.len()) != (saqs as usize).checked_mul(SAQ_WORDS) {
        return None;
    }
    let mut totals = totals.as_chunks().0.iter().copied().map(whole);
    for total in totals_mut(snapshot) {
        *total = totals.next()?;
    }
    snapshot.channels.clear();
    snapshot.channels.extend(channels.as_chunks().0.iter().map(channel));
    snapshot.hosts.clear();
    snapshot.hosts.extend(hosts.as_chunks().0.iter().map(host));
    snapshot.spans.clear();
    snapshot.spans.extend(spans.as_chunks().0.iter().map(span));
    snapshot.levels.clear();
    snapshot.levels.extend(level_words.as_chunks().0.iter().map(level));
    snapshot.waits.clear();
    let wait =
        |&[message, at, wants, holder]: &[u32; WAIT_WORDS]| Wait { message, at, wants, holder };
    snapshot.waits.extend(wait_words.as_chunks().0.iter().map(wait));
    snapshot.saqs.clear();
    snapshot.saqs.extend(saq_words.as_chunks().0.iter().map(saq));
    Some(document)
}

fn totals(snapshot: &Snapshot) -> [u64; TOTALS] {
    let s = snapshot;
    [s.cycle, s.generated, s.delivered, s.dropped, s.payload_delivered, s.network_latency_sum]
}

fn totals_mut(snapshot: &mut Snapshot) -> [&mut u64; TOTALS] {
    let s = snapshot;
    [
        &mut s.cycle,
        &mut s.generated,
        &mut s.delivered,
        &mut s.dropped,
        &mut s.payload_delivered,
        &mut s.network_latency_sum,
    ]
}

fn channel(words: &[u32; CHANNEL_WORDS]) -> ChannelState {
    let &[busy_low, busy_high, blocked_low, blocked_high, last] = words;
    let bit = |n: u32| last >> (OCCUPANCY_BITS + n) & 1 == 1;
    ChannelState {
        busy_cycles: whole([busy_low, busy_high]),
        blocked_cycles: whole([blocked_low, blocked_high]),
        occupancy: last & ((1 << OCCUPANCY_BITS) - 1),
        stopped: bit(0),
        stop_sent: bit(1),
        held: bit(2),
        blocked: bit(3),
    }
}

fn host(words: &[u32; HOST_WORDS]) -> HostState {
    let &[local_waiting, in_transit, itb_memory, queued, low, high] = words;
    HostState {
        local_waiting,
        in_transit,
        itb_memory,
        transit_waiting: queued & !(1 << 31),
        sending_transit: queued >> 31 == 1,
        itbs_handled: whole([low, high]),
    }
}

fn span(words: &[u32; SPAN_WORDS]) -> Span {
    let &[message, channel, front, flits, bits] = words;
    let place = match bits & 7 {
        0 => Place::Link,
        1 => Place::Buffer,
        2 => Place::Memory,
        3 => Place::Central,
        _ => Place::Output,
    };
    let (lane, level) = ((bits >> 5 & 31) as u8, (bits >> 10 & 31) as u8);
    Span {
        message,
        channel,
        place,
        lane,
        level,
        head: bits & 8 != 0,
        blocked: bits & 16 != 0,
        front,
        flits,
    }
}

fn level(words: &[u32; LEVEL_WORDS]) -> LevelState {
    let &[a, b, c, d, e, f] = words;
    let [delivered, flits_delivered, network_latency_sum] = [[a, b], [c, d], [e, f]].map(whole);
    LevelState { delivered, flits_delivered, network_latency_sum }
}

fn saq(&[port, point, packets, credits, line]: &[u32; SAQ_WORDS]) -> Saq {
    let bit = |n: u32| line >> (16 + n) & 1 == 1;
    Saq {
        channel: port & !(1 << 31),
        at_input: port >> 31 == 1,
        number: line as u8,
        point: CongestedPoint { channel: point, level: ((line >> 8) as u8).checked_sub(1) },
        packets,
        credits,
        xoff: bit(0),
        marked: bit(1),
        stopping: bit(2),
        linked: bit(3),
    }
}

fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

fn whole([low, high]: [u32; 2]) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Snapshot {
        let channel = ChannelState {
            busy_cycles: 5 << 40,
            blocked_cycles: 3,
            occupancy: 56,
            ..Default::default()
        };
        let span = Span {
            message: 9,
            channel: 1,
            place: Place::Link,
            lane: 31,
            level: 0,
            head: false,
            blocked: false,
            front: 4,
            flits: 5,
        };
        Snapshot {
            cycle: (5 << 32) + 9,
            generated: 4,
            delivered: 3,
            dropped: 2,
            payload_delivered: 1 << 50,
            network_latency_sum: u64::MAX,
            channels: vec![
                channel,
                ChannelState { stopped: true, ..channel },
                ChannelState { stop_sent: true, ..channel },
                ChannelState { held: true, ..channel },
                ChannelState { blocked: true, ..channel },
            ],
            hosts: vec![HostState {
                local_waiting: 1,
                in_transit: 2,
                itb_memory: 3,
                transit_waiting: 4,
                sending_transit: true,
                itbs_handled: 1 << 33,
            }],
            spans: vec![
                span,
                Span { place: Place::Buffer, head: true, ..span },
                Span { place: Place::Memory, blocked: true, lane: 0, level: 31, ..span },
            ],
            levels: vec![LevelState {
                delivered: 8,
                flits_delivered: 3 << 34,
                network_latency_sum: 1 << 60,
            }],
            waits: vec![Wait { message: 1, at: 2, wants: 3, holder: 4 }],
            saqs: vec![
                Saq { channel: 1, number: 63, packets: 2, credits: 9, ..Saq::default() },
                Saq {
                    channel: (1 << 31) - 1,
                    at_input: true,
                    point: CongestedPoint { channel: 7, level: Some(31) },
                    marked: true,
                    linked: true,
                    ..Saq::default()
                },
                Saq {
                    point: CongestedPoint { channel: 0, level: Some(0) },
                    xoff: true,
                    stopping: true,
                    ..Saq::default()
                },
            ],
        }
    }

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        let mut words = vec![77; 500];
        encode(7, &sample(), &mut words);
        words.extend([0; 100]); // a buffer longer than the frame
        let mut snapshot = sample();
        snapshot.spans.extend(sample().spans); // a snapshot that was used before
        assert_eq!(decode(&words, &mut snapshot), Some(7));
        assert_eq!(snapshot, sample());
    }

    #[test]
    fn words_that_are_no_frame_are_refused() {
        let mut words = Vec::new();
        encode(7, &sample(), &mut words);
        let mut snapshot = sample();
        assert_eq!(decode(&[], &mut snapshot), None);
        assert_eq!(decode(&[0; 64], &mut snapshot), None);
        assert_eq!(decode(&words[..words.len() - 1], &mut snapshot), None);
        words[3] += 1; // one more channel than there is
        assert_eq!(decode(&words, &mut snapshot), None);
        words[3] = u32::MAX;
        assert_eq!(decode(&words, &mut snapshot), None);
        assert_eq!(snapshot, sample());
    }
}
