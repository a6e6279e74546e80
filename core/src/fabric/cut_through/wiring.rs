//! Connections inside the switches: which port belongs to which MPort, and the slots of arbiters.

use super::layout::{ChannelLayout, NONE};
use crate::network::{End, Network};
use crate::scenario::CutThroughSpec;

/// The channels with their ports, and the slots of all arbiters.
pub(super) struct Wiring {
    pub channels: Vec<ChannelLayout>,
    pub central_slots: Vec<u8>,
    pub slot_base: Vec<u32>,
    pub slots: Vec<u32>,
    /// MPorts of the switch with the most.
    pub most_mports: u32,
}

impl Wiring {
    pub fn new(network: &Network, spec: &CutThroughSpec) -> Self {
        let (size, links) = (spec.ports_per_mport as usize, spec.central_links as usize);
        let mports: Vec<usize> =
            network.switches().iter().map(|s| (s.ports as usize).div_ceil(size)).collect();
        let first: Vec<usize> =
            mports.iter().scan(0, |sum, &n| Some(std::mem::replace(sum, *sum + n))).collect();
        let centrals = |switch: usize| if mports[switch] > 1 { mports[switch] * links } else { 0 };
        let mut channels = Vec::new();
        // Per MPort and port in it: the channel that arrives there.
        let mut arriving = vec![NONE; mports.iter().sum::<usize>() * size];
        for (c, channel) in network.channels().iter().enumerate() {
            let id = crate::network::ChannelId::new(c);
            let own = network.link_of(id).and_then(|l| network.links()[l.index()].delay_cycles);
            let mut layout = ChannelLayout {
                delay: own.unwrap_or(spec.link_delay_cycles),
                in_mport: NONE,
                out_mport: NONE,
                central: 0,
                slots: [0; 2],
            };
            match channel.from {
                End::Host(_) => {}
                End::Switch(s, port) => {
                    layout.out_mport = (first[s.index()] + port as usize / size) as u32;
                    layout.central = (u32::from(port) % spec.central_links) as u8;
                }
            }
            match channel.to {
                End::Host(_) => {}
                End::Switch(s, port) => {
                    let mport = first[s.index()] + port as usize / size;
                    let within = port as usize % size;
                    layout.in_mport = mport as u32;
                    layout.slots = [within as u8, (centrals(s.index()) + within) as u8];
                    arriving[mport * size + within] = c as u32;
                }
            }
            channels.push(layout);
        }
        let mut central_slots = Vec::new();
        for n in &mports {
            central_slots.extend((0..n * links).map(|k| k as u8));
        }
        // The output buffers of one MPort share a list of slots: the central buffers of the switch,
        // then the input ports of the MPort. The latter are the slots of its central buffers.
        let (mut of_outputs, mut of_centrals, mut slots) = (Vec::new(), Vec::new(), Vec::new());
        for (switch, &n) in mports.iter().enumerate() {
            let base = channels.len() + first[switch] * links;
            for mport in first[switch]..first[switch] + n {
                of_outputs.push(slots.len() as u32);
                slots.extend((0..centrals(switch)).map(|k| (base + k) as u32));
                of_centrals.extend(vec![slots.len() as u32; links]);
                slots.extend(&arriving[mport * size..][..size]);
            }
        }
        let of_output = |layout: &ChannelLayout| {
            of_outputs.get(layout.out_mport as usize).copied().unwrap_or(NONE)
        };
        let slot_base = channels.iter().map(of_output).chain(of_centrals).collect();
        let most_mports = mports.into_iter().max().unwrap_or(0) as u32;
        Self { channels, central_slots, slot_base, slots, most_mports }
    }
}
