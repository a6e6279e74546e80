//! Which inputs and outputs of a switch are connected in a cycle. A switch is looked at only if
//! something has changed, or if its last matching left something over.

use super::Fabric;
use super::state::{Crossbar, Matching, PortMask};
use crate::fabric::packet::congestion::CongestionManagement;
use hopscope_scenario::bits;

impl<C: CongestionManagement, P: PortMask> Fabric<C, P> {
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
        let free = !receiving & P::all(ports);
        let is_left = match self.switch.matching {
            Matching::RoundRobin => self.match_by_inputs(first, open, free),
            Matching::Islip(iterations) => self.match_by_outputs(first, open, free, iterations),
            Matching::ByRank(by) => {
                self.match_by_rank((first, ports), open, free, by);
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
    fn match_by_inputs(&mut self, first: u32, open: P, free: P) -> bool {
        let mut requested = P::zero();
        for port in bits(open) {
            let input = first + u32::from(port);
            let mut rest = self.switch.inputs[input].wanted & free;
            while !rest.is_zero() {
                let output = self.switch.inputs[input].arbiter.first(rest);
                rest &= !P::only(output);
                if let Some(lane) = self.lane_that_fits(input, output) {
                    self.switch.asking[u32::from(output)] |= P::only(port);
                    self.switch.lanes[u32::from(port)] = lane;
                    requested |= P::only(output);
                    break;
                }
            }
        }
        let mut is_refused = false;
        for output in bits(requested) {
            let requests = std::mem::take(&mut self.switch.asking[u32::from(output)]);
            is_refused |= requests.count_ones() > 1;
            let end = &mut self.switch.outputs[first + u32::from(output)];
            let port = end.arbiter.first(requests);
            end.arbiter.granted(port);
            let input = first + u32::from(port);
            self.switch.inputs[input].arbiter.granted(output);
            self.connect(input, output, self.switch.lanes[u32::from(port)]);
        }
        is_refused
    }

    /// iSLIP: in each iteration every output grants one of the input ports that want it, and every
    /// input port accepts one of its grants. True if more iterations might match more.
    fn match_by_outputs(&mut self, first: u32, mut open: P, mut free: P, iterations: u32) -> bool {
        for iteration in 0..iterations {
            let mut granted = P::zero();
            for output in bits(free) {
                let wanting = self.switch.outputs[first + u32::from(output)].wanting & open;
                let requests = self.that_fit(first, wanting, output);
                if requests.is_zero() {
                    free &= !P::only(output);
                    continue;
                }
                let end = &self.switch.outputs[first + u32::from(output)];
                let port = end.arbiter.first(requests);
                self.switch.asking[u32::from(port)] |= P::only(output);
                granted |= P::only(port);
            }
            for port in bits(granted) {
                let input = first + u32::from(port);
                let grants = std::mem::take(&mut self.switch.asking[u32::from(port)]);
                let output = self.switch.inputs[input].arbiter.first(grants);
                if iteration == 0 {
                    self.switch.inputs[input].arbiter.granted(output);
                    self.switch.outputs[first + u32::from(output)].arbiter.granted(port);
                }
                let lane = self.lane_that_fits(input, output).expect("the output was requested");
                self.connect(input, output, lane);
                open &= !P::only(port);
                free &= !P::only(output);
            }
            if open.is_zero() || free.is_zero() || granted.is_zero() {
                return false;
            }
        }
        true
    }

    /// Of the input ports in a mask, those with a packet that fits the output buffer.
    fn that_fit(&mut self, first: u32, wanting: P, output: u8) -> P {
        let out = self.switch.wiring.ports[first + u32::from(output)].leaves;
        // An output that no port wants may have no channel.
        if wanting.is_zero() || self.space.is_ample(out) && self.switch.private.is_none() {
            return wanting;
        }
        let mut fitting = P::zero();
        for port in bits(wanting) {
            if self.lane_that_fits(first + u32::from(port), output).is_some() {
                fitting |= P::only(port);
            }
        }
        fitting
    }
}
