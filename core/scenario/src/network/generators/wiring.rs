//! Construction of generated networks: hosts take the first ports of their switch, and each link
//! takes the next free ports at both ends.

use crate::scenario::{DrawnHost, DrawnLink, DrawnNetwork, DrawnSwitch};
use std::f64::consts::TAU;

/// Distance of neighbours on the stage, in stage units.
pub(crate) const SPACING: f32 = 190.0;

/// Distance between `rows` rows of `row` switches, in units of [`SPACING`], at which the picture is
/// `ratio` times as wide as high.
pub(crate) fn row_distance(row: u32, rows: u32, ratio: f32) -> f32 {
    row as f32 / (ratio * rows.saturating_sub(1).max(1) as f32)
}

/// A network under construction.
#[derive(Default)]
pub(super) struct Wiring {
    drawn: DrawnNetwork,
    /// The next free port of each switch.
    next: Vec<u16>,
}

impl Wiring {
    /// Adds a switch with hosts and returns its index. Positions are in units of [`SPACING`].
    pub fn switch(&mut self, hosts: u32, position: Option<[f32; 2]>) -> u32 {
        let switch = self.next.len() as u32;
        // Adding 0 turns -0 into 0.
        let [x, y] = [0, 1].map(|axis| position.map(|p| (p[axis] * SPACING).round() + 0.0));
        self.drawn.switches.push(DrawnSwitch { x, y, ..Default::default() });
        self.next.push(0);
        for _ in 0..hosts {
            self.host(switch);
        }
        switch
    }

    /// Adds a host to a switch.
    pub fn host(&mut self, switch: u32) {
        let next = &mut self.next[switch as usize];
        self.drawn.hosts.push(DrawnHost { switch, port: Some(*next), ..Default::default() });
        *next += 1;
    }

    /// Joins two switches by a link of `width` cables.
    pub fn link(&mut self, a: u32, b: u32, width: u32) {
        let width = width as u16;
        let mut end = |switch: u32| {
            let next = &mut self.next[switch as usize];
            let first = *next;
            *next += width;
            (switch, first)
        };
        let (a, b) = (end(a), end(b));
        self.drawn.links.push(DrawnLink { a, b, width, delay_cycles: None });
    }

    /// The network. Every switch gets `ports` ports; 0 stands for as many as the switch with the
    /// most hosts and cables needs.
    pub fn finish(mut self, ports: u32) -> DrawnNetwork {
        let ports = match ports {
            0 => self.next.iter().copied().max().unwrap_or_default(),
            _ => ports as u16,
        };
        for switch in &mut self.drawn.switches {
            switch.ports = ports;
        }
        self.drawn
    }
}

/// Position `i` of `n` on a circle around the origin with neighbours one unit apart, clockwise from
/// the top.
pub(super) fn circle_position(i: u32, n: u32) -> [f32; 2] {
    let radius = (f64::from(n) / TAU).max(0.8);
    point_on_circle([0.0, 0.0], radius, f64::from(i) / f64::from(n.max(1)))
}

/// The point of a circle at `turn`: a part of the circumference, 0 to 1, clockwise from the top.
pub(super) fn point_on_circle(centre: [f32; 2], radius: f64, turn: f64) -> [f32; 2] {
    let angle = turn * TAU;
    [centre[0] + (radius * libm::sin(angle)) as f32, centre[1] - (radius * libm::cos(angle)) as f32]
}
