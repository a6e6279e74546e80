//! The memory that a simulation may take: what this machine has available, or what `--memory` says.

use hopscope_core::routing::memory;
use std::fs::read_to_string;

/// Where the system does not say, GiB.
const UNKNOWN_GIB: f64 = 8.0;
const GIB: f64 = (1_u64 << 30) as f64;

/// Sets the memory at hand for each of some simulations; the user may name that of all, in GiB.
pub fn set_at_hand(named: Option<f64>, simulations: usize) {
    let named = named.map(|gib| (gib * GIB) as u64);
    let bytes = named.or_else(available).unwrap_or((UNKNOWN_GIB * GIB) as u64);
    memory::set_at_hand(bytes / simulations.max(1) as u64);
}

/// Bytes that are available now: those of the system, or fewer in a control group (a container, or
/// a job of a cluster).
fn available() -> Option<u64> {
    let of_system = of_system(&read_to_string("/proc/meminfo").ok()?)?;
    Some(of_group().map_or(of_system, |of_group| of_group.min(of_system)))
}

/// `MemAvailable` of `/proc/meminfo`, in bytes.
fn of_system(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

/// What the limit of this process's control group (version 2) leaves; none without a limit.
fn of_group() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let bytes = |file: &str| -> Option<u64> {
        read_to_string(format!("/sys/fs/cgroup{path}/{file}")).ok()?.trim().parse().ok()
    };
    Some(bytes("memory.max")?.saturating_sub(bytes("memory.current")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_the_system_is_read() {
        let meminfo = "MemTotal:       24689764 kB\nMemFree: 1 kB\nMemAvailable:   23057432 kB\n";
        assert_eq!(of_system(meminfo), Some(23_057_432 << 10));
        assert_eq!(of_system("MemTotal: 1 kB\n"), None);
    }
}
