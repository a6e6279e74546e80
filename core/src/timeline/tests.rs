//! Traces are decoded with an independent reader of the schema's subset.

use super::*;
use crate::scenario::Scenario;
use std::collections::BTreeMap;

/// A protobuf message as its fields: number, and value or bytes.
type Message<'a> = Vec<(u32, Field<'a>)>;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let (&first, rest) = bytes.split_first().expect("a varint has an end");
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        shift += 7;
        if first & 0x80 == 0 {
            return value;
        }
    }
}

fn decode(mut bytes: &[u8]) -> Message<'_> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let field = match key & 7 {
            0 => Field::Number(varint(&mut bytes)),
            1 => {
                let (value, rest) = bytes.split_at(8);
                bytes = rest;
                Field::Number(u64::from_le_bytes(value.try_into().unwrap()))
            }
            2 => {
                let length = varint(&mut bytes) as usize;
                let (value, rest) = bytes.split_at(length);
                bytes = rest;
                Field::Bytes(value)
            }
            other => panic!("wire type {other}"),
        };
        fields.push(((key >> 3) as u32, field));
    }
    fields
}

fn number(message: &Message<'_>, field: u32) -> Option<u64> {
    message.iter().find_map(|(known, value)| match value {
        Field::Number(number) if *known == field => Some(*number),
        _ => None,
    })
}

fn bytes<'a>(message: &Message<'a>, field: u32) -> Option<&'a [u8]> {
    message.iter().find_map(|(known, value)| match value {
        Field::Bytes(bytes) if *known == field => Some(*bytes),
        _ => None,
    })
}

fn timeline(fabric: &str, preset: &str) -> (Simulation, Timeline) {
    let text = format!(
        r#"{{ "hopscope": 1, "fabric": {{ "kind": "{fabric}" }}, "routing": {{ "preset": "{preset}" }},
             "network": {{ "generate": {{ "kind": "irregular", "switches": 8, "hosts_per_switch": 2, "ports": 6 }} }},
             "traffic": [{{ "load": 0.3, "load_unit": "flits-per-cycle-per-host", "size": {{ "kind": "fixed", "bytes": 256 }} }}] }}"#
    );
    let mut simulation = Simulation::new(&Scenario::parse(&text).unwrap()).unwrap();
    let timeline = record(&mut simulation, 6000);
    (simulation, timeline)
}

#[test]
fn traces_decode_and_agree_with_the_run() {
    for (fabric, preset) in [
        ("wormhole", "UD"),
        ("wormhole", "UD_ITB"),
        ("cut-through", "UD"),
        ("cut-through", "UD_ITB"),
    ] {
        let (simulation, timeline) = timeline(fabric, preset);
        assert_eq!((timeline.cycles, timeline.is_cut), (6000, false));
        let mut tracks = BTreeMap::new();
        let mut open: BTreeMap<u64, u64> = BTreeMap::new();
        let mut carried: BTreeMap<u64, u64> = BTreeMap::new();
        let (mut blocked, mut reasons, mut counts, mut latest) = (0, 0, 0, 0);
        for (field, packet) in decode(&timeline.bytes) {
            let Field::Bytes(packet) = packet else { panic!("a packet is a message") };
            assert_eq!(field, 1);
            let packet = decode(packet);
            if let Some(descriptor) = bytes(&packet, 60) {
                let descriptor = decode(descriptor);
                let parent = number(&descriptor, 5);
                assert!(parent.is_none_or(|parent| tracks.contains_key(&parent)));
                let name = std::str::from_utf8(bytes(&descriptor, 2).unwrap()).unwrap();
                let is_counter = bytes(&descriptor, 8).is_some();
                let uuid = number(&descriptor, 1).unwrap();
                assert!(tracks.insert(uuid, (name.to_owned(), is_counter)).is_none());
                continue;
            }
            let time = number(&packet, 8).unwrap();
            assert!(time >= latest, "events are in order");
            latest = time;
            let event = decode(bytes(&packet, 11).unwrap());
            let track = number(&event, 11).unwrap();
            let (name, is_counter) = &tracks[&track];
            match number(&event, 9).unwrap() {
                1 => {
                    assert!(open.insert(track, time).is_none(), "slices do not overlap");
                    assert!(number(&event, 47).unwrap() > 0);
                    blocked += u32::from(name.starts_with("blocked"));
                    reasons += u32::from(bytes(&event, 4).is_some());
                }
                2 => {
                    let begun = open.remove(&track).expect("it has begun");
                    *carried.entry(track).or_default() += time - begun;
                }
                4 => {
                    assert!(is_counter, "{name}");
                    counts += 1;
                }
                other => panic!("type {other}"),
            }
        }
        assert!(open.is_empty(), "every slice ends");
        assert!(
            blocked > 0 && reasons > 0 && counts > 0,
            "{fabric} {preset}: {blocked} {reasons} {counts}"
        );
        // A channel carries a message for at least as long as it sends flits.
        let mut snapshot = Snapshot::default();
        simulation.snapshot(&mut snapshot);
        for (channel, state) in snapshot.channels.iter().enumerate() {
            let shown = carried.get(&carrying(channel)).copied().unwrap_or(0);
            let busy = state.busy_cycles * simulation.cycle_ps() / 1000;
            assert!(shown + 100 >= busy, "{fabric} channel {channel}: {shown} {busy}");
        }
    }
}

#[test]
fn recording_does_not_change_a_run() {
    let (recorded, _) = timeline("wormhole", "UD_ITB");
    let mut plain = Simulation::new(recorded.scenario()).unwrap();
    plain.run_until(recorded.now());
    assert_eq!(plain.report().fingerprint, recorded.report().fingerprint);
}

/// The slices of all channels, as cycles from and until.
fn slices(timeline: &Timeline, cycle_ps: u64) -> BTreeMap<u64, Vec<(u64, u64)>> {
    let mut slices: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
    for (_, packet) in decode(&timeline.bytes) {
        let Field::Bytes(packet) = packet else { panic!("a packet is a message") };
        let packet = decode(packet);
        let Some(event) = bytes(&packet, 11) else { continue };
        let event = decode(event);
        let cycle = number(&packet, 8).unwrap() * 1000 / cycle_ps;
        let of_track = slices.entry(number(&event, 11).unwrap()).or_default();
        match number(&event, 9) {
            Some(1) => of_track.push((cycle, 0)),
            Some(2) => of_track.last_mut().expect("it has begun").1 = cycle,
            _ => {}
        }
    }
    slices
}

/// A packet of 128 flits does not fit the buffers of a port, so its first flits have gone on while
/// the last ones are on the link.
#[test]
fn a_link_carries_a_message_until_its_last_flit_has_arrived() {
    let text = r#"{ "hopscope": 1, "routing": { "preset": "minimal" },
        "network": { "generate": { "kind": "ring", "switches": 3, "hosts_per_switch": 1 } },
        "fabric": { "kind": "cut-through", "cycle_ps": 1000 },
        "traffic": [{ "pattern": { "kind": "pairs", "pairs": [[0, 1]] },
            "size": { "kind": "fixed", "bytes": 1024 },
            "arrival": { "kind": "one-shot", "messages": 1 }, "start_cycle": 10 }],
        "measure": { "warmup_messages": 0, "messages": 1 } }"#;
    let mut simulation = Simulation::new(&Scenario::parse(text).unwrap()).unwrap();
    let timeline = record(&mut simulation, 6000);
    let found = slices(&timeline, simulation.cycle_ps());
    let network = simulation.network();
    let carried: Vec<u64> = (0..network.channels().len())
        .filter_map(|channel| found.get(&carrying(channel)))
        .map(|slices| {
            let [(from, until)] = slices[..] else { panic!("one slice: {slices:?}") };
            until - from
        })
        .collect();
    // 128 flits on three links, each of which is on its way for 8 cycles.
    assert_eq!(carried, [135; 3]);
}
