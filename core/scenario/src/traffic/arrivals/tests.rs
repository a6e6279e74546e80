use super::*;
use crate::random::stream;

#[test]
fn processes_that_follow_the_load_have_the_mean_interval() {
    let processes = [
        ArrivalSpec::Constant(Constant {}),
        ArrivalSpec::UniformInterval(UniformInterval {}),
        ArrivalSpec::Poisson(Poisson {}),
        ArrivalSpec::Bursts(Bursts { messages: 2 }),
    ];
    // One ignores the load, and three have a state: `core/simulator/src/traffic/tests.rs` has their
    // loads.
    assert_eq!(processes.len() + 4, all().len());
    let (mean, draws) = (3_000_000_u64, 40_000);
    for process in &processes {
        let mut random = stream(7, "test", 0);
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
