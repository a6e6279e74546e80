//! Inside a switch: crossbar inputs and outputs, arbitration and crossing.

use super::arbiters::{Arbiter, arbiter};
use super::buffer::{Buffer, Limits};
use super::{Arriving, ByChannel, Fabric};
use hopscope_core::network::{End, Network};
use hopscope_core::scenario::CutThroughSpec;
use std::collections::VecDeque;

/// A crossbar input: an input port or a central buffer.
pub struct CrossbarInput {
    pub lanes: Vec<VecDeque<Arriving>>,
    arbiter: Box<dyn Arbiter>,
    connected: bool,
    /// Not connected any more from this cycle on.
    free_from: u64,
}

/// A crossbar output, an output buffer or a central buffer, with its arbiter.
struct CrossbarOutput {
    arbiter: Box<dyn Arbiter>,
    connection: Option<Connection>,
    free_from: u64,
    /// Of an output buffer: the slot that goes first when space is short.
    first_for_space: usize,
}

/// A packet crossing.
#[derive(Clone, Copy)]
struct Connection {
    input: Place,
    lane: usize,
}

/// A grant of a crossbar output.
struct Granted {
    input: Place,
    lane: usize,
    output: Place,
    slot: usize,
}

/// Where a crossbar input or output is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// At the port of a channel: its input port, or its output buffer.
    Port(usize),
    /// At a central buffer: MPort and number.
    Central(usize, usize),
}

pub struct Switch {
    inputs: ByChannel<CrossbarInput>,
    outputs: ByChannel<CrossbarOutput>,
    /// Central buffers per MPort and number: as an input, as an output, and the fill.
    centrals: Vec<Vec<(CrossbarInput, CrossbarOutput, Buffer)>>,
    /// Channels that arrive and leave, by port.
    arriving: ByChannel<usize>,
    port_of: ByChannel<usize>,
    mport_size: usize,
    links: usize,
}

impl CrossbarInput {
    fn new(spec: &CutThroughSpec, number: usize, lanes: usize) -> Self {
        let queues = (0..lanes).map(|_| VecDeque::new()).collect();
        let arbiter = arbiter(&spec.arbiter, "input arbiter", number);
        Self { lanes: queues, arbiter, connected: false, free_from: 0 }
    }
}

impl CrossbarOutput {
    fn new(spec: &CutThroughSpec, number: usize) -> Self {
        let arbiter = arbiter(&spec.arbiter, "output arbiter", number);
        Self { arbiter, connection: None, free_from: 0, first_for_space: 0 }
    }
}

impl Switch {
    pub fn new(network: &Network, spec: &CutThroughSpec, switch: usize, lanes: usize) -> Self {
        let (size, links) = (spec.ports_per_mport as usize, spec.central_links as usize);
        let mut s = Self {
            inputs: ByChannel::new(),
            outputs: ByChannel::new(),
            centrals: Vec::new(),
            arriving: ByChannel::new(),
            port_of: ByChannel::new(),
            mport_size: size,
            links,
        };
        for (c, channel) in network.channels().iter().enumerate() {
            if let End::Switch(to, port) = channel.to
                && to.index() == switch
            {
                s.inputs.insert(c, CrossbarInput::new(spec, c, lanes));
                s.arriving.insert(port as usize, c);
                s.port_of.insert(c, port as usize);
            }
            if let End::Switch(from, port) = channel.from
                && from.index() == switch
            {
                s.outputs.insert(c, CrossbarOutput::new(spec, c));
                s.port_of.insert(c, port as usize);
            }
        }
        let mports_of = |switch: usize| (network.switches()[switch].ports as usize).div_ceil(size);
        let mports = mports_of(switch);
        // Central buffers are numbered after all channels. An MPort without any counts as well.
        let first = network.channels().len() + (0..switch).map(mports_of).sum::<usize>() * links;
        let limits = Limits::new(spec, spec.central_buffer_bytes / spec.central_links, lanes);
        let central = |number| {
            let buffer = Buffer::new(limits.clone());
            (CrossbarInput::new(spec, number, lanes), CrossbarOutput::new(spec, number), buffer)
        };
        s.centrals = (0..if mports > 1 { mports } else { 0 })
            .map(|m| (0..links).map(|k| central(first + m * links + k)).collect())
            .collect();
        s
    }

    pub fn input(&mut self, channel: usize) -> &mut CrossbarInput {
        self.inputs.get_mut(&channel).expect("an input of this switch")
    }

    fn mport(&self, channel: usize) -> usize {
        self.port_of[&channel] / self.mport_size
    }

    fn crossbar_input(&mut self, place: Place) -> &mut CrossbarInput {
        match place {
            Place::Port(channel) => self.inputs.get_mut(&channel).expect("an input"),
            Place::Central(mport, number) => &mut self.centrals[mport][number].0,
        }
    }

    fn crossbar_output(&mut self, place: Place) -> &mut CrossbarOutput {
        match place {
            Place::Port(channel) => self.outputs.get_mut(&channel).expect("an output"),
            Place::Central(mport, number) => &mut self.centrals[mport][number].1,
        }
    }

    fn places(&self, ports: impl Iterator<Item = usize>) -> Vec<Place> {
        let centrals = (0..self.centrals.len())
            .flat_map(|m| (0..self.links).map(move |k| Place::Central(m, k)));
        ports.map(Place::Port).chain(centrals).collect()
    }

    /// The crossbar output of a packet at a crossbar input that will leave by a channel.
    fn output_towards(&self, input: Place, out: usize) -> Place {
        match input {
            Place::Port(channel) if self.mport(channel) != self.mport(out) => {
                Place::Central(self.mport(channel), self.port_of[&out] % self.links)
            }
            _ => Place::Port(out),
        }
    }

    /// The crossbar inputs at the arbiter of a crossbar output, slot by slot.
    fn slots(&self, output: Place) -> Vec<Option<Place>> {
        let inputs = |mport: usize| {
            (0..self.mport_size).map(move |i| {
                self.arriving.get(&(mport * self.mport_size + i)).map(|&c| Place::Port(c))
            })
        };
        match output {
            Place::Central(mport, _) => inputs(mport).collect(),
            Place::Port(out) => {
                let centrals = self.places(std::iter::empty()).into_iter().map(Some);
                centrals.chain(inputs(self.mport(out))).collect()
            }
        }
    }
}

impl Fabric<'_> {
    /// Phases 3 and 4 of one switch, and the flits that cross.
    pub fn cross(&mut self, switch: usize, t: u64) -> bool {
        let s = &mut self.switches[switch];
        for (_, _, buffer) in s.centrals.iter_mut().flatten() {
            buffer.settle(t);
        }
        let inputs = s.places(s.inputs.keys().copied().collect::<Vec<_>>().into_iter());
        let outputs = s.places(s.outputs.keys().copied().collect::<Vec<_>>().into_iter());
        let picks: Vec<(Place, usize, Place)> =
            inputs.iter().filter_map(|&input| self.pick(switch, input, t)).collect();
        let mut granted = Vec::new();
        for &output in &outputs {
            let picked: Vec<_> = picks.iter().filter(|p| p.2 == output).collect();
            if picked.len() > 1 {
                self.met.insert("inputs compete for an output");
            }
            if !picked.is_empty() {
                let slots = self.switches[switch].slots(output);
                let request = |input: &Option<Place>| picked.iter().find(|p| *input == Some(p.0));
                let requests: Vec<Option<usize>> =
                    slots.iter().map(|input| request(input).map(|p| p.1)).collect();
                let arbiter = &self.switches[switch].crossbar_output(output).arbiter;
                let slot = arbiter.order(&requests)[0];
                let &&(input, lane, _) = request(&slots[slot]).expect("it requests");
                granted.push(Granted { input, lane, output, slot });
            }
        }
        self.reserve_space(switch, &mut granted);
        for g in granted {
            self.switches[switch].crossbar_output(g.output).arbiter.granted(g.slot, g.lane);
            self.connect(switch, g.input, g.lane, g.output, t);
        }
        let mut active = false;
        for output in outputs {
            active |= self.move_flits(switch, output, t);
        }
        active
    }

    /// Packets from input ports reserve space in the output buffer they go to, one after the other;
    /// the grants of those that find none are taken back.
    fn reserve_space(&mut self, switch: usize, granted: &mut Vec<Granted>) {
        let outputs: Vec<usize> = self.switches[switch].outputs.keys().copied().collect();
        for out in outputs {
            let slots = self.switches[switch].slots(Place::Port(out));
            let first = self.switches[switch].crossbar_output(Place::Port(out)).first_for_space;
            let mut refused = None;
            for slot in (0..slots.len()).map(|i| (first + i) % slots.len()) {
                // A packet goes on from the central buffer it goes to, or else from its input port.
                let found = granted.iter().position(|g| {
                    let at_output =
                        if let Place::Central(..) = g.output { g.output } else { g.input };
                    let of_input = matches!(g.input, Place::Port(_));
                    of_input
                        && slots[slot] == Some(at_output)
                        && self.leaves(switch, g.input, g.lane).0 == out
                });
                let Some(found) = found else { continue };
                let (_, lane, credits) =
                    self.leaves(switch, granted[found].input, granted[found].lane);
                if self.channels[out].buffer.fits(lane, credits) {
                    self.channels[out].buffer.take(lane, credits);
                } else {
                    granted.remove(found);
                    self.met.insert("a grant finds no space left");
                    refused = refused.or(Some(slot));
                }
            }
            let first = refused.unwrap_or(first);
            self.switches[switch].crossbar_output(Place::Port(out)).first_for_space = first;
        }
    }

    /// Where the foremost packet of a lane of a crossbar input leaves the switch: channel, lane
    /// there, and its size.
    fn leaves(&mut self, switch: usize, input: Place, lane: usize) -> (usize, u8, u32) {
        let head =
            self.switches[switch].crossbar_input(input).lanes[lane].front().expect("a candidate");
        let packet = &self.packets[head.packet];
        let (out, out_lane) = packet.path[head.leg + 1];
        (out, out_lane, packet.credits)
    }

    /// The lane a crossbar input picks and the crossbar output it wants.
    fn pick(&mut self, switch: usize, place: Place, t: u64) -> Option<(Place, usize, Place)> {
        let lanes = self.lanes;
        let input = self.switches[switch].crossbar_input(place);
        if input.connected || input.free_from > t {
            return None;
        }
        let is_candidate = |head: &Arriving| head.from.is_some_and(|from| from <= t);
        let requests: Vec<Option<usize>> = (0..lanes)
            .map(|lane| input.lanes[lane].front().filter(|head| is_candidate(head)).map(|_| lane))
            .collect();
        let order = input.arbiter.order(&requests);
        if order.len() > 1 {
            self.met.insert("lanes compete for a crossbar");
        }
        order.into_iter().find_map(|lane| {
            let head = self.switches[switch].crossbar_input(place).lanes[lane].front()?;
            let packet = &self.packets[head.packet];
            let (out, out_lane) = packet.path[head.leg + 1];
            let output = self.switches[switch].output_towards(place, out);
            let output_state = self.switches[switch].crossbar_output(output);
            if output_state.connection.is_some() || output_state.free_from > t {
                return None;
            }
            // What is in a central buffer has space in its output buffer.
            let fits = matches!(place, Place::Central(..))
                || self.channels[out].buffer.fits(out_lane, packet.credits);
            let fits_central = match output {
                Place::Port(_) => true,
                Place::Central(m, k) => {
                    self.switches[switch].centrals[m][k].2.fits(out_lane, packet.credits)
                }
            };
            if !fits {
                self.met.insert("a packet waits for an output buffer");
            }
            if !fits_central {
                self.met.insert("a packet waits for a central buffer");
            }
            (fits && fits_central).then_some((place, lane, output))
        })
    }

    fn connect(&mut self, switch: usize, place: Place, lane: usize, output: Place, t: u64) {
        let spec = self.spec;
        let x = u64::from(spec.crossbar_cycles);
        let input = self.switches[switch].crossbar_input(place);
        input.connected = true;
        input.arbiter.granted(lane, lane);
        let head = input.lanes[lane].front().expect("it was picked");
        let (index, leg) = (head.packet, head.leg);
        let packet = &self.packets[index];
        let (out, out_lane) = packet.path[leg + 1];
        self.switches[switch].crossbar_output(output).connection =
            Some(Connection { input: place, lane });
        let entry = |leg, from| Arriving {
            packet: index,
            leg,
            ready: Vec::new(),
            moved: 0,
            from: Some(from),
        };
        match output {
            Place::Port(_) => {
                let from = t + x + u64::from(spec.buffering_cycles);
                self.channels[out].lanes[out_lane as usize].push_back(entry(leg + 1, from));
            }
            Place::Central(m, k) => {
                let (input, _, buffer) = &mut self.switches[switch].centrals[m][k];
                buffer.take(out_lane, packet.credits);
                let from = t + x + u64::from(spec.arbitration_cycles);
                input.lanes[out_lane as usize].push_back(entry(leg, from));
            }
        }
    }

    /// The flits of a connection that cross in this cycle.
    fn move_flits(&mut self, switch: usize, output: Place, t: u64) -> bool {
        let Some(connection) = self.switches[switch].crossbar_output(output).connection else {
            return false;
        };
        let rate = match connection.input {
            Place::Port(_) => self.spec.mport_flits_per_cycle,
            Place::Central(..) => self.spec.central_flits_per_cycle,
        };
        for _ in 0..rate {
            let input = self.switches[switch].crossbar_input(connection.input);
            let entry = input.lanes[connection.lane].front_mut().expect("it crosses");
            let packet = &self.packets[entry.packet];
            if entry.ready.get(entry.moved as usize).is_none_or(|&ready| ready > t) {
                assert!(entry.moved > 0, "the first flit crosses when the connection is granted");
                break;
            }
            entry.moved += 1;
            let (index, leg, last) = (entry.packet, entry.leg, entry.moved == packet.flits);
            let number = entry.moved - 1;
            self.reach(switch, output, index, leg, number, t);
            if last {
                self.disconnect(switch, output, connection, t);
                break;
            }
        }
        true
    }

    /// A flit reaches a crossbar output.
    fn reach(
        &mut self,
        switch: usize,
        output: Place,
        index: usize,
        leg: usize,
        number: u64,
        t: u64,
    ) {
        let x = u64::from(self.spec.crossbar_cycles);
        let lane = self.packets[index].path[leg + 1].1 as usize;
        match output {
            Place::Central(m, k) => {
                let queue = &mut self.switches[switch].centrals[m][k].0.lanes[lane];
                queue.back_mut().expect("it was entered").ready.push(t + x);
            }
            Place::Port(out) => {
                let at = t + x + u64::from(self.spec.buffering_cycles);
                self.reach_output(out, index, number, at, t);
            }
        }
    }

    fn disconnect(&mut self, switch: usize, output: Place, connection: Connection, t: u64) {
        let output_state = self.switches[switch].crossbar_output(output);
        output_state.connection = None;
        output_state.free_from = t + 1;
        let input = self.switches[switch].crossbar_input(connection.input);
        input.connected = false;
        input.free_from = t + 1;
        let entry = input.lanes[connection.lane].pop_front().expect("it crossed");
        let packet = &self.packets[entry.packet];
        match connection.input {
            Place::Port(channel) => {
                let back = t + self.channels[channel].delay;
                self.channels[channel].credits_back.push_back((
                    back,
                    connection.lane as u8,
                    packet.credits,
                ));
            }
            Place::Central(m, k) => {
                self.switches[switch].centrals[m][k].2.give_at(
                    t + 1,
                    connection.lane as u8,
                    packet.credits,
                );
            }
        }
    }
}
