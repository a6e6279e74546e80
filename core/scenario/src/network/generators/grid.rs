//! Common part of mesh, torus and torus with express links: coordinates, and links along every
//! dimension.
//!
//! Switch numbers count along the first dimension first.

use super::wiring::Wiring;
use super::{AT, Size, messages};
use crate::catalogue::{Kind, Parameter};
use crate::problem::Problems;
use crate::scenario::DrawnNetwork;
use crate::scenario::limits::MAX_SWITCHES;

/// Most dimensions.
const MAX_DIMENSIONS: usize = 8;

/// Distance of two layers of a grid, across and down: enough for hosts, and for stubs with names.
const ASLANT: f32 = 0.6;

/// The common parameter `sides`.
pub(super) const fn sides(default: &'static [u64]) -> Parameter {
    Parameter::new(
        "sides",
        "switches along each dimension, the first one across",
        "switches",
        Kind::Integers { default, min: 1, max: MAX_SWITCHES as u64, may_be_empty: false },
    )
}

/// A grid: in each dimension, links lead from each switch to those at the given offsets.
pub(super) struct Grid<'a> {
    /// Switches along each dimension.
    pub sides: &'a [u32],
    pub hosts_per_switch: u32,
    /// Cables of every link.
    pub width: u32,
    /// Ports of every switch; 0 for as many as are needed.
    pub ports: u32,
    /// True if dimensions are rings.
    pub closed: bool,
    pub offsets: &'a [u32],
}

impl Grid<'_> {
    pub fn check(&self, problems: &mut Problems) {
        let at = format!("{AT}.sides");
        if self.sides.len() > MAX_DIMENSIONS {
            problems.add(
                at,
                messages::grid_dimensions(self.sides.len()),
                messages::grid_dimensions_range(MAX_DIMENSIONS),
            );
        }
    }

    pub fn size(&self) -> Size {
        let switches = self.sides.iter().fold(1u64, |n, &side| n.saturating_mul(u64::from(side)));
        let (mut links, mut degree) = (0u64, 0);
        for &side in self.sides {
            for &offset in self.offsets {
                let starts = (0..side.min(1 << 16))
                    .filter(|&c| self.target(c, side, offset).is_some())
                    .count();
                links = links.saturating_add(
                    (switches / u64::from(side.max(1))).saturating_mul(starts as u64),
                );
                degree += match starts as u32 {
                    0 => 0,
                    _ if 2 * offset >= side => 1,
                    _ => 2,
                };
            }
        }
        Size {
            switches,
            hosts: switches.saturating_mul(self.hosts_per_switch.into()),
            links: links.saturating_mul(self.width.into()),
            ports: u64::from(self.hosts_per_switch) + degree * u64::from(self.width),
            ports_given: self.ports,
        }
    }

    pub fn wire(&self) -> DrawnNetwork {
        let mut wiring = Wiring::default();
        let count: u32 = self.sides.iter().product();
        for s in 0..count {
            wiring.switch(self.hosts_per_switch, Some(self.position(s)));
        }
        for s in 0..count {
            let mut stride = 1;
            for &side in self.sides {
                let c = s / stride % side;
                for &offset in self.offsets {
                    if let Some(target) = self.target(c, side, offset) {
                        wiring.link(s, s - c * stride + target * stride, self.width);
                    }
                }
                stride *= side;
            }
        }
        wiring.finish(self.ports)
    }

    /// The coordinate to which the link by `offset` from coordinate `c` leads; `None` if there is
    /// no such link, or the same link starts at its far end.
    fn target(&self, c: u32, side: u32, offset: u32) -> Option<u32> {
        if !self.closed {
            return (c + offset < side).then_some(c + offset);
        }
        // At half of the ring, the links of both ends are the same. Beyond it, a link in the other
        // direction has a smaller offset.
        let exists = 2 * offset < side || (2 * offset == side && c < offset);
        exists.then(|| (c + offset) % side)
    }

    /// The first dimension runs across and the second down. The third and fourth run aslant inside
    /// every cell of that grid, so that switches of different layers share no row or column and no
    /// link runs through a switch. Every further pair of dimensions places copies of that picture
    /// side by side and below each other, with a gap.
    fn position(&self, switch: u32) -> [f32; 2] {
        let mut position = [0.0, 0.0];
        let mut copies = self.pitch();
        let mut rest = switch;
        for (d, &side) in self.sides.iter().enumerate() {
            let c = (rest % side) as f32;
            let step = match d {
                2 => [ASLANT * self.side(3), ASLANT],
                3 => [ASLANT, ASLANT * self.side(2)],
                _ if d % 2 == 0 => [copies[0], 0.0],
                _ => [0.0, copies[1]],
            };
            position = [0, 1].map(|axis| position[axis] + c * step[axis]);
            if d != 2 && d != 3 {
                copies[d % 2] *= side as f32 + 0.5;
            }
            rest /= side;
        }
        position
    }

    /// Width and height of the cell of a row and column, which holds the switches of all layers.
    fn pitch(&self) -> [f32; 2] {
        let layers = self.side(2) * self.side(3);
        // The stubs of links that close the rings of layers need space between two cells.
        let gap = if self.closed && layers > 1.0 { 1.0 } else { 0.0 };
        [(ASLANT * (layers + gap)).max(1.0), (ASLANT * layers).max(1.0)]
    }

    /// Switches along a dimension; 1 if there is no such dimension.
    fn side(&self, dimension: usize) -> f32 {
        self.sides.get(dimension).map_or(1.0, |&side| side as f32)
    }
}
