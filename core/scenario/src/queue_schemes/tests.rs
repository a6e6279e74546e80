use super::*;
use crate::scenario::limits::MAX_HOSTS;
use crate::scenario::limits::MAX_PORTS;

#[test]
fn every_scheme_is_a_word_of_the_scenario() {
    for (scheme, id) in QueueScheme::ALL.iter().zip(QueueScheme::IDS) {
        assert_eq!(serde_json::to_value(scheme).unwrap(), *id);
    }
}

/// Of every packet, whatever its output and its destination, there is a queue, and it says the
/// truth about it.
#[test]
fn every_packet_has_a_queue() {
    for &scheme in QueueScheme::ALL {
        for (ports, hosts) in [(1, 2), (2, 1), (8, 5), (MAX_PORTS, 300), (16, MAX_HOSTS)] {
            let queues = scheme.queues_per_lane(ports, hosts);
            for host in (0..hosts).map(|host| host as u16) {
                for output in (0..ports).map(|output| output as u8) {
                    let index = scheme.index(output, host);
                    assert!(index < queues, "{scheme:?}: {index} of {queues}");
                    match scheme.queue_of(index) {
                        QueueOf::Lane => assert_eq!(queues, 1, "{scheme:?}"),
                        QueueOf::Output(of) => assert_eq!(of, u16::from(output), "{scheme:?}"),
                        QueueOf::Host(of) => assert_eq!(of, u32::from(host), "{scheme:?}"),
                        QueueOf::Saq(_) => panic!("{scheme:?} has set-aside queues"),
                    }
                }
            }
        }
    }
}
