//! The state of one switch or NIC, for the page's close-up; see [`crate::observe::Inside`].

use super::PacketFabric;
use super::congestion::{CongestionManagement, PortBuffer};
use super::lanes::Lane;
use super::state::Stage;
use super::switch::Switch;
use crate::network::ChannelId;
use crate::observe::{BufferInside, Inside, NicInside, PortInside};

impl<S: Switch> PacketFabric<S> {
    /// The state of a switch; empty if there is no such switch.
    pub fn inside(&self, switch: u32) -> Inside {
        S::inside(self, switch)
    }

    /// The state of a host's NIC; `None` if there is no such host.
    pub fn nic_inside(&self, host: u32) -> Option<NicInside> {
        let nic = self.nics.get(host as usize)?;
        let levels = self.layout.qos.levels();
        let injection = self.injection(host).0;
        let in_transit = |lane: Lane| {
            let queues = self.queues_of(injection, lane);
            queues.map(|queue| self.transit_packets(host, queue).count() as u32).sum()
        };
        let output =
            self.port_inside((0, self.layout.network.reverse(ChannelId(injection)).0, injection));
        Some(NicInside {
            host,
            applications: (0..levels as u8)
                .map(|level| self.messages_of_level(host, level))
                .collect(),
            in_transit: Lane::all(self.layout.lanes).map(in_transit).collect(),
            waiting_for_memory: nic.waiting_for_memory.len() as u32,
            memory: [nic.memory, self.layout.itb_memory],
            output: PortInside { input: BufferInside::default(), ..output },
        })
    }

    /// The state of a port of a switch, without what waits in its input buffer; or that of a NIC.
    pub(super) fn port_inside(&self, (port, arrives, leaves): (u16, u32, u32)) -> PortInside {
        let lanes = Lane::all(self.layout.lanes);
        let buffer = |capacity, used: &dyn Fn(Lane) -> u16| BufferInside {
            capacity,
            used: lanes.clone().map(|lane| used(lane).into()).collect(),
            marks: None,
        };
        let counters = self.counters.as_ref();
        let output_port = &self.output_ports[leaves];
        let sent = || (self.message_id(output_port.current), output_port.lane.0);
        let (mut saqs, saqs_in_all) = self.congestion.saqs_inside(PortBuffer::Input(arrives));
        saqs.extend(self.congestion.saqs_inside(PortBuffer::Output(leaves)).0);
        PortInside {
            port,
            arrives,
            leaves,
            input: buffer(self.layout.receiver(arrives).capacity, &|_| 0),
            output: buffer(self.layout.space(leaves).capacity, &|l| self.space.used(leaves, l)),
            receiver: buffer(self.layout.receiver(leaves).capacity, &|l| {
                self.credits.used(leaves, l)
            }),
            sending: output_port.busy.then(sent),
            ready: lanes.clone().map(|lane| self.ready_on_lane(leaves, lane)).collect(),
            scheduler: Some(self.state_of_scheduler(leaves)),
            saqs,
            saqs_in_all,
            counters: counters.map_or(Vec::new(), |counters| counters.bytes(leaves, self.now)),
            ..PortInside::default()
        }
    }

    /// Counts the packets that are in input buffers or on their way there.
    pub(super) fn fill_inputs(&self, inside: &mut Inside) {
        for p in self.packets.iter().filter(|p| p.stage == Stage::Receiver) {
            for port in inside.ports.iter_mut().filter(|port| port.arrives == p.at) {
                port.input.used[p.lane_in.index()] += u32::from(p.credits);
            }
        }
    }
}
