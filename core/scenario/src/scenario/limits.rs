//! Upper limits of a scenario. Validation checks each one; the problem names the limit.

/// Most switches of a network.
pub const MAX_SWITCHES: usize = 16_384;
/// Most hosts of a network.
pub const MAX_HOSTS: usize = 65_536;
/// Most cables between switches, a trunk counted once per lane.
pub const MAX_LINKS: usize = 262_144;
/// Most ports of a switch.
pub const MAX_PORTS: u16 = 128;
/// Longest name of a scenario or flow, characters.
pub const MAX_NAME_CHARACTERS: usize = 200;
/// Longest name of a switch or host, bytes.
pub const MAX_NAME_BYTES: usize = 200;
/// Longest description, bytes.
pub const MAX_DESCRIPTION_BYTES: usize = 10_000;
/// Largest scenario file, bytes.
pub const MAX_FILE_BYTES: usize = 32 << 20;
/// Largest distance of a position from the origin, stage units.
pub const MAX_POSITION: f32 = 1e6;
/// Longest delay of a link and longest fixed delay in switches and NICs, cycles.
pub const MAX_DELAY_CYCLES: u32 = 1_000_000;
/// Largest slack buffer of the wormhole fabric, and largest ITB memory, flits or bytes.
pub const MAX_BUFFER_FLITS: u32 = 1 << 30;
/// Longest time of a stage and longest delay of a link of the cut-through fabric, cycles.
pub const MAX_STAGE_CYCLES: u32 = 10_000;
/// Largest flit of the cut-through fabric, bytes.
pub const MAX_FLIT_BYTES: u32 = 1024;
/// Largest credit, bytes.
pub const MAX_CREDIT_BYTES: u32 = 4096;
/// Largest MTU of a service level, bytes.
pub const MAX_MTU_BYTES: u32 = 10_240;
/// Largest buffer of the cut-through fabric, credits, which its engine counts in 16 bits.
pub const MAX_BUFFER_CREDITS: u32 = 1 << 15;
/// Most ports of an MPort, links from it to the central crossbar, and flits per cycle through a
/// crossbar.
pub const MAX_PER_MPORT: u32 = 64;
/// Most hosts on a switch, which has a port for another link.
pub const MAX_HOSTS_PER_SWITCH: u32 = MAX_PORTS as u32 - 1;
/// Longest cycle, picoseconds (1 microsecond).
pub const MAX_CYCLE_PS: u64 = 1_000_000;
/// Most flows of a workload.
pub const MAX_FLOWS: usize = 1024;
/// Largest message, bytes of payload.
pub const MAX_MESSAGE_BYTES: u32 = 1 << 24;
/// Largest offered load, payload flits per cycle and host (its channel carries 1).
pub const MAX_FLITS_PER_CYCLE_PER_HOST: f64 = 100.0;
/// Longest mean interval between two messages, or two bursts, of a host, cycles.
pub const MAX_INTERVAL_CYCLES: f64 = 1e12;
/// Most messages of a run, warm-up and measurement each.
pub const MAX_MESSAGES: u64 = 2_000_000_000;
/// Generated messages at which a run stops. Events and snapshots number messages with 32 bits, also
/// those that are generated in the cycle in which the run stops.
pub const MAX_GENERATED_MESSAGES: u64 = (1 << 32) - (1 << 27);
/// Most messages of a burst, and packets of a frame, which are all generated at once.
pub const MAX_AT_ONCE: u32 = 1 << 16;
/// Slowest stream, kb/s.
pub const MIN_STREAM_KBPS: f64 = 1.0;
/// Fastest stream, kb/s (100 Gb/s).
pub const MAX_STREAM_KBPS: f64 = 1e8;
/// Most streams of a workload: connections and video streams of all hosts.
pub const MAX_STREAMS: u64 = 1 << 24;
/// Memory of a stream, bytes, at most.
pub const STREAM_BYTES: u64 = 10;
/// Last cycle of any run, about 39 hours of 1 ns cycles. Traffic sources keep times in units of
/// 2^-16 cycles, in 64 bits: from cycle 2^48 on they would generate nothing.
pub const MAX_CYCLES: u64 = 1 << 47;
/// Most messages generated and not delivered at a time. A run that exceeds it stops: it offers more
/// than the network accepts, or delivers nothing, and would run until memory is gone.
pub const MAX_OUTSTANDING_MESSAGES: u64 = 1 << 22;
/// Longest vector of a collective operation, and longest message of a trace, bytes.
pub const MAX_APPLICATION_BYTES: u64 = 1 << 40;
/// Most repetitions of a collective operation.
pub const MAX_ITERATIONS: u64 = 1_000_000;
/// Longest computation, nanoseconds (about 13 days).
pub const MAX_COMPUTE_NS: u64 = 1 << 50;
/// Most operations (sends, receives, computations) of an application. Each takes about 150 bytes.
pub const MAX_OPERATIONS: usize = 1 << 22;
/// Most dependencies between operations of an application.
pub const MAX_DEPENDENCIES: usize = 1 << 24;
/// Largest file of a trace, bytes.
pub const MAX_TRACE_BYTES: usize = 256 << 20;
/// Most candidate routes per pair of switches.
pub const MAX_CANDIDATES: u32 = 256;
/// Largest handicap of an ITB route, cycles per flit.
pub const MAX_HANDICAP: u32 = 1_000_000;
/// Most pairs of hosts whose messages are counted apart. 64 bits: the square of [`MAX_HOSTS`] does
/// not fit the sizes of WebAssembly.
pub const MAX_COUNTED_PAIRS: u64 = 1 << 20;
/// Deliveries before a run first looks for the end of the transient.
pub const FIRST_LOOK_FOR_TRANSIENT: u64 = 500;
/// Levels of confidence intervals.
pub const CONFIDENCE_LEVELS: [f64; 2] = [0.5, 0.999];
/// Half-widths that a run may wait for, relative to the mean.
pub const HALF_WIDTHS: [f64; 2] = [0.001, 0.5];
/// Fewest messages of a run that waits for a half-width.
pub const LEAST_MESSAGES_OF_INTERVALS: u64 = 100;
/// Problems reported at most; the rest is only counted.
pub const MAX_PROBLEMS: usize = 100;

// The longest run that a scenario can ask for has numbers for all its messages.
const _: () = assert!(2 * MAX_MESSAGES + MAX_OUTSTANDING_MESSAGES < MAX_GENERATED_MESSAGES);
