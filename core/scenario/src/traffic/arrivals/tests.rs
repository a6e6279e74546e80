use super::*;
use crate::random::stream;

#[test]
fn processes_that_follow_the_load_have_the_mean_interval() {
    let mean = 3_000_000_u64;
    for member in all() {
        let process: ArrivalSpec = serde_json::from_value(member.with_defaults())
            .expect("the descriptor names the fields");
        let mut random = stream(7, "test", 0);
        // `core/traffic/src/traffic/tests.rs` has the loads of those with a state, which draw no
        // intervals.
        if !process.follows_load() || process.interval(mean, 1, &mut random).is_none() {
            continue;
        }
        let draws = 40_000 * process.messages_per_destination();
        let sum: u64 =
            (1..=draws).map(|sent| process.interval(mean, sent, &mut random).unwrap()).sum();
        let drawn = sum as f64 / draws as f64 / mean as f64;
        assert!((drawn - 1.0).abs() < 0.02, "{process:?}: {drawn} of the mean");
    }
}

#[test]
fn the_first_message_comes_within_an_interval_or_so() {
    let mut random = stream(7, "test", 0);
    for _ in 0..1000 {
        assert!(Constant {}.first(50, &mut random) < 50);
        assert!(UniformInterval {}.first(50, &mut random) <= 100);
    }
}

#[test]
fn a_one_shot_sends_all_at_once_and_ends() {
    let mut random = stream(7, "test", 0);
    let shot = OneShot { messages: 2 };
    assert_eq!(shot.first(9, &mut random), 0);
    assert_eq!(shot.interval(9, 1, &mut random), Some(0));
    assert_eq!(shot.interval(9, 2, &mut random), None);
}
