//! What generators build with: switches with their hosts on the first ports, then links on the next free ones.

use crate::scenario::{DrawnHost, DrawnLink, DrawnNetwork, DrawnSwitch};

/// Distance of neighbours on the stage, stage units.
pub(super) const SPACING: f32 = 190.0;

/// How far apart rows of so many switches stand if they are to be so many times as long as all rows together are deep.
pub(super) fn rows_apart(row: u32, rows: u32, ratio: f32) -> f32 {
    row as f32 / (ratio * rows.saturating_sub(1).max(1) as f32)
}

/// A network in the making.
#[derive(Default)]
pub(super) struct Wiring {
    drawn: DrawnNetwork,
    /// Per switch, its next free port.
    next: Vec<u16>,
}

impl Wiring {
    /// Adds a switch with so many hosts and returns its index. Positions are in units of [`SPACING`].
    pub fn switch(&mut self, hosts: u32, position: Option<[f32; 2]>) -> u32 {
        let switch = self.next.len() as u32;
        // Not `-0`.
        let place = |axis: usize| position.map(|p| (p[axis] * SPACING).round() + 0.0);
        self.drawn.switches.push(DrawnSwitch { x: place(0), y: place(1), ..Default::default() });
        for port in 0..hosts as u16 {
            self.drawn.hosts.push(DrawnHost { switch, port: Some(port), ..Default::default() });
        }
        self.next.push(hosts as u16);
        switch
    }

    /// Joins two switches by so many cables.
    pub fn link(&mut self, a: u32, b: u32, width: u32) {
        let width = width as u16;
        let mut port = |s: u32| {
            self.next[s as usize] += width;
            self.next[s as usize] - width
        };
        self.drawn.links.push(DrawnLink {
            a: (a, port(a)),
            b: (b, port(b)),
            width,
            delay_cycles: None,
        });
    }

    /// The network; every switch with this number of ports, or 0 for as many as the busiest one needs.
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

/// Place number `i` of `n` on a circle whose neighbours are one apart, clockwise from the top.
pub(super) fn on_circle(i: u32, n: u32) -> [f32; 2] {
    let radius = (f64::from(n) / std::f64::consts::TAU).max(0.8);
    around([0.0, 0.0], radius, f64::from(i) / f64::from(n.max(1)))
}

/// The point at `turn` (0 to 1, clockwise from the top) of a circle.
pub(super) fn around(centre: [f32; 2], radius: f64, turn: f64) -> [f32; 2] {
    let angle = turn * std::f64::consts::TAU;
    [centre[0] + (radius * libm::sin(angle)) as f32, centre[1] - (radius * libm::cos(angle)) as f32]
}
