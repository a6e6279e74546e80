//! Which inputs and outputs of a switch are connected in a cycle. A switch is looked at only if
//! something has changed, or if its last matching left something over.

use super::Fabric;
use super::state::{Crossbar, Matching, Ports};
use crate::fabric::packet::congestion::CongestionManagement;

/// The ports of a set, ascending.
pub(super) fn numbers(mut ports: Ports) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let first = (ports != 0).then(|| ports.trailing_zeros() as u8)?;
        ports &= ports - 1;
        Some(first)
    })
}

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
        let free = !receiving & Ports::MAX >> (Ports::BITS - u32::from(ports));
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
            numbers(open).for_each(|port| self.report_waits(first + u32::from(port)));
        }
    }

    /// Round robin: each input port requests one output, each output grants one of its requests.
    /// True if a request was refused: its input port may request another output in the next cycle.
    fn match_by_inputs(&mut self, first: u32, open: Ports, free: Ports) -> bool {
        let mut requested: Ports = 0;
        for port in numbers(open) {
            let input = first + u32::from(port);
            let mut rest = self.switch.inputs[input].wanted & free;
            while rest != 0 {
                let output = self.switch.inputs[input].arbiter.first_port(rest);
                rest &= !(1 << output);
                if let Some(lane) = self.lane_that_fits(input, output) {
                    self.switch.outputs[first + u32::from(output)].requests |= 1 << port;
                    self.switch.inputs[input].lane = lane;
                    requested |= 1 << output;
                    break;
                }
            }
        }
        let mut is_refused = false;
        for output in numbers(requested) {
            let end = &mut self.switch.outputs[first + u32::from(output)];
            let requests = std::mem::take(&mut end.requests);
            is_refused |= !requests.is_power_of_two();
            let port = end.arbiter.first_port(requests);
            end.arbiter.granted(port);
            let input = first + u32::from(port);
            let begin = &mut self.switch.inputs[input];
            begin.arbiter.granted(output);
            let lane = begin.lane;
            self.connect(input, output, lane);
        }
        is_refused
    }

    /// iSLIP: in each iteration every output grants one of the input ports that want it, and every
    /// input port accepts one of its grants. True if more iterations might match more.
    fn match_by_outputs(
        &mut self,
        first: u32,
        mut open: Ports,
        mut free: Ports,
        iterations: u32,
    ) -> bool {
        for iteration in 0..iterations {
            let mut granted: Ports = 0;
            for output in numbers(free) {
                let wanting = self.switch.outputs[first + u32::from(output)].wanting & open;
                let requests = self.that_fit(first, wanting, output);
                if requests == 0 {
                    free &= !(1 << output);
                    continue;
                }
                let end = &self.switch.outputs[first + u32::from(output)];
                let port = end.arbiter.first_port(requests);
                self.switch.inputs[first + u32::from(port)].grants |= 1 << output;
                granted |= 1 << port;
            }
            for port in numbers(granted) {
                let input = first + u32::from(port);
                let begin = &mut self.switch.inputs[input];
                let grants = std::mem::take(&mut begin.grants);
                let output = begin.arbiter.first_port(grants);
                if iteration == 0 {
                    begin.arbiter.granted(output);
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
    fn that_fit(&mut self, first: u32, wanting: Ports, output: u8) -> Ports {
        let out = self.switch.wiring.ports[first + u32::from(output)].leaves;
        // An output that no port wants may have no channel.
        if wanting == 0 || self.space.is_ample(out) && self.switch.private.is_none() {
            return wanting;
        }
        let mut fitting = 0;
        for port in numbers(wanting) {
            if self.lane_that_fits(first + u32::from(port), output).is_some() {
                fitting |= 1 << port;
            }
        }
        fitting
    }
}
