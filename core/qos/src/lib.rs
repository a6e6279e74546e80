//! Hopscope's quality of service: the tables that lead from service levels to virtual lanes, the
//! lanes' parts of buffers, and the output schedulers of `core/scenario`.

mod limits;
pub mod messages;
mod names;
mod senders;
mod tables;

pub use hopscope_scenario::schedulers;
pub use limits::Limits;
pub use names::warnings;
pub use senders::Schedulers;
pub use tables::QosTables;

use hopscope_scenario::network::Network;
use hopscope_scenario::problem::Problems;
use hopscope_scenario::scenario::CutThroughSpec;

/// The service levels, lanes and schedulers of a cut-through fabric, checked and resolved.
#[derive(Debug)]
pub struct Qos {
    /// Tables of levels, service channels, lanes and virtual fabrics.
    pub tables: QosTables,
    /// The schedulers of all senders.
    pub schedulers: Schedulers,
    /// Levels whose packets interrupt others, one bit each.
    pub express: u32,
    /// Division of a switch port's input buffer.
    pub input: Limits,
    /// Division of a switch port's output buffer.
    pub output: Limits,
    /// Divisions of the buffers within a switch.
    pub switch: Vec<Limits>,
    /// Divisions of a NIC's send buffer and of its receive buffer.
    pub nic: Limits,
}

impl Qos {
    /// Resolves the parameters of a fabric. Their numbers must be within range. `switch_buffers`
    /// are the bytes of the buffers within a switch, with the fields of the scenario that say so.
    ///
    /// # Errors
    ///
    /// What is wrong with the parameters.
    pub fn new(
        spec: &CutThroughSpec,
        network: &Network,
        switch_buffers: &[(u32, &str)],
    ) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let tables = QosTables::new(&spec.qos, network, "fabric.qos");
        let schedulers = Schedulers::new(spec, network);
        let (tables, mut schedulers) = match (tables, schedulers) {
            (Ok(tables), Ok(schedulers)) => (tables, schedulers),
            (tables, schedulers) => {
                let lists = tables.err().into_iter().chain(schedulers.err());
                return Err(Problems(lists.flat_map(|p| p.0).collect()));
            }
        };
        names::check(spec, &tables, &mut problems);
        schedulers.configure(&tables.lanes_of_levels(), spec.credit_bytes / spec.flit_bytes);
        let mut express = 0;
        for &level in &spec.express_levels {
            match 1_u32.checked_shl(level.into()).filter(|_| usize::from(level) < tables.levels()) {
                Some(bit) => express |= bit,
                None => problems.add(
                    "fabric.express_levels",
                    messages::no_such_level(level),
                    messages::name_levels_in_use(),
                ),
            }
        }
        let largest = tables.largest_on_lanes();
        let mut limits = |bytes, field| Limits::new(spec, bytes, field, &largest, &mut problems);
        let input = limits(spec.input_buffer_bytes, "fabric.input_buffer_bytes");
        let output = limits(spec.output_buffer_bytes, "fabric.output_buffer_bytes");
        let switch = switch_buffers.iter().map(|&(bytes, field)| limits(bytes, field)).collect();
        let nic = limits(spec.nic_buffer_bytes, "fabric.nic_buffer_bytes");
        let hosts = network.hosts().len() as u32;
        for (lane, bytes) in
            largest.iter().enumerate().filter(|_| spec.switch.has_private_credits())
        {
            let (credits, packet) = (input.private(lane, hosts), bytes.div_ceil(spec.credit_bytes));
            if credits < packet {
                problems.add(
                    "fabric.input_buffer_bytes",
                    messages::queue_does_not_fit(lane, credits, packet),
                    messages::enlarge_lane(),
                );
            }
        }
        let mtu = largest.iter().copied().max().unwrap_or(0);
        if spec.itb_memory_bytes < mtu.next_multiple_of(spec.credit_bytes) {
            problems.add(
                "fabric.itb_memory_bytes",
                messages::smaller_than_packet(),
                messages::enlarge_it(),
            );
        }
        problems.or(Self { tables, schedulers, express, input, output, switch, nic })
    }
}
