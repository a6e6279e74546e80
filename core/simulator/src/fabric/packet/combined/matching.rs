//! Which inputs and outputs of a switch are connected in a cycle. A switch is looked at only if
//! something has changed, or if its last matching left something over.

use super::Fabric;
use super::state::{Crossbar, Matching};
use crate::fabric::packet::congestion::CongestionManagement;
use crate::fabric::packet::lanes::{Lane, bits};

/// Most ports of a switch, whose numbers are bits of a mask.
const PORTS: usize = crate::switches::MAX_PORTS as usize;

impl<C: CongestionManagement> Fabric<C> {
    pub(super) fn arbitrate_all(&mut self) {
        for i in 0..self.switch.retry.len() {
            self.mark_switch(self.switch.retry[i]);
        }
        self.switch.retry.clear();
        for i in 0..self.switch.marked.len() {
            let switch = self.switch.marked[i];
            self.arbitrate(switch);
            self.switch.crossbars[switch].is_marked = false;
        }
        self.switch.marked.clear();
    }

    fn arbitrate(&mut self, switch: u32) {
        let (first, ports) = self.switch.wiring.switches[switch];
        let Crossbar { waiting, sending, receiving, .. } = self.switch.crossbars[switch];
        let open = waiting & !sending;
        let free = !receiving & u64::MAX >> (u64::BITS - u32::from(ports));
        let is_left = match self.switch.matching {
            Matching::RoundRobin => self.match_by_inputs(first, open, free),
            Matching::Islip(iterations) => self.match_by_outputs(first, open, free, iterations),
            Matching::Counters(threshold) => {
                self.match_by_counters((first, ports), open, free, threshold);
                false
            }
        };
        if is_left {
            self.switch.retry.push(switch);
        }
        if self.watch.is_some() {
            bits(open).for_each(|port| self.report_waits(first + u32::from(port)));
        }
    }

    /// Round robin: each input port requests one output, each output grants one of its requests.
    /// True if a request was refused: its input port may request another output in the next cycle.
    fn match_by_inputs(&mut self, first: u32, open: u64, free: u64) -> bool {
        let mut requests = [0_u64; PORTS];
        let mut requested = 0_u64;
        // Per input port: the lane of its request.
        let mut lanes = [Lane(0); PORTS];
        for port in bits(open) {
            let input = first + u32::from(port);
            let mut rest = self.switch.inputs[input].wanted & free;
            while rest != 0 {
                let output = self.switch.inputs[input].arbiter.first(rest);
                rest &= !(1 << output);
                if let Some(lane) = self.lane_that_fits(input, output) {
                    requests[usize::from(output)] |= 1 << port;
                    requested |= 1 << output;
                    lanes[usize::from(port)] = lane;
                    break;
                }
            }
        }
        let mut is_refused = false;
        for output in bits(requested) {
            let requests = requests[usize::from(output)];
            is_refused |= !requests.is_power_of_two();
            let end = &mut self.switch.outputs[first + u32::from(output)];
            let port = end.arbiter.first(requests);
            end.arbiter.granted(port);
            let input = first + u32::from(port);
            self.switch.inputs[input].arbiter.granted(output);
            self.connect(input, output, lanes[usize::from(port)]);
        }
        is_refused
    }

    /// iSLIP: in each iteration every output grants one of the input ports that want it, and every
    /// input port accepts one of its grants. True if more iterations might match more.
    fn match_by_outputs(
        &mut self,
        first: u32,
        mut open: u64,
        mut free: u64,
        iterations: u32,
    ) -> bool {
        for iteration in 0..iterations {
            let mut grants = [0_u64; PORTS];
            let mut granted = 0_u64;
            for output in bits(free) {
                let wanting = self.switch.outputs[first + u32::from(output)].wanting & open;
                let requests = self.that_fit(first, wanting, output);
                if requests == 0 {
                    free &= !(1 << output);
                    continue;
                }
                let end = &self.switch.outputs[first + u32::from(output)];
                let port = end.arbiter.first(requests);
                grants[usize::from(port)] |= 1 << output;
                granted |= 1 << port;
            }
            for port in bits(granted) {
                let input = first + u32::from(port);
                let grants = grants[usize::from(port)];
                let output = self.switch.inputs[input].arbiter.first(grants);
                if iteration == 0 {
                    self.switch.inputs[input].arbiter.granted(output);
                    self.switch.outputs[first + u32::from(output)].arbiter.granted(port);
                }
                let lane = self.lane_that_fits(input, output).expect("the output was requested");
                self.connect(input, output, lane);
                open &= !(1 << port);
                free &= !(1 << output);
            }
            if open == 0 || free == 0 || granted == 0 {
                return false;
            }
        }
        true
    }

    /// Of the input ports in a mask, those with a packet that fits the output buffer.
    fn that_fit(&mut self, first: u32, wanting: u64, output: u8) -> u64 {
        let out = self.switch.wiring.ports[first + u32::from(output)].leaves;
        // An output that no port wants may have no channel.
        if wanting == 0 || self.space.is_ample(out) && self.switch.private.is_none() {
            return wanting;
        }
        let mut fitting = 0;
        for port in bits(wanting) {
            if self.lane_that_fits(first + u32::from(port), output).is_some() {
                fitting |= 1 << port;
            }
        }
        fitting
    }
}
