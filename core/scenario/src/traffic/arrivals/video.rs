//! Video streams: frames at regular times, cut into packets.

use super::streams::{self, Division, Streams, Turn};
use super::{Arrival, Arriving, Connections, Offer, Process, Setup};
use crate::catalogue::{Descriptor, Kind, Parameter, Status};
use crate::messages;
use crate::problem::Problems;
use crate::random::Pcg64Mcg;
use crate::scenario::limits::{MAX_AT_ONCE, MAX_MESSAGE_BYTES, MAX_STREAM_KBPS, MIN_STREAM_KBPS};
use crate::scenario::{ROUNDING, rounded_up};
use rand::RngExt;
use rand_distr::{Distribution, LogNormal};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    id: "video",
    name: "Video streams",
    summary: "as many MPEG streams of one rate as make the load, each with a fixed destination and \
              a random phase: a frame at regular times, of I, P or B size, cut into packets of the \
              flow's size; one slower stream carries the rest",
    parameters: &[
        Parameter::new(
            "rate_kbps",
            "mean rate of each stream",
            "kb/s",
            Kind::Real { default: 750.0, min: MIN_STREAM_KBPS, max: MAX_STREAM_KBPS },
        )
        .required(),
        Parameter::new(
            "frame_ms",
            "time between two frames of a stream",
            "ms",
            Kind::Real { default: 40.0, min: 0.1, max: 10_000.0 },
        )
        .required(),
        Parameter::integer(
            "gop_frames",
            "frames of a group of pictures, which begins with its only I frame",
            "",
            (12, 1, 1000),
        )
        .required(),
        Parameter::integer(
            "anchor_distance",
            "every so many frames is an I or P frame, the others are B frames; 1 for none",
            "frames",
            (3, 1, 1000),
        )
        .required(),
        ratio("p_to_i", "mean size of a P frame over that of an I frame", 0.375),
        ratio("b_to_i", "mean size of a B frame over that of an I frame", 0.1875),
        Parameter::new(
            "peak_to_mean",
            "largest frame over the mean of all; longer ones are cut to it",
            "",
            Kind::Real { default: 4.37, min: 1.0, max: 1000.0 },
        )
        .required(),
        Parameter::new(
            "variation",
            "standard deviation over mean of the frames of a kind, which are lognormal",
            "",
            Kind::Real { default: 0.3, min: 0.0, max: 3.0 },
        )
        .required(),
    ],
    citation: "sizes of I, P and B frames: MPEG-2 Test Model 5, ISO/IEC JTC1/SC29/WG11 N0400, \
               1993; group of pictures and peak: Fitzek and Reisslein, MPEG-4 and H.263 video \
               traces for network performance evaluation, 2001; lognormal: Krunz et al., \
               Statistical characteristics and multiplexing of MPEG streams, 1995",
    status: Status::Exact,
};

/// A parameter that is a size relative to that of an I frame.
const fn ratio(id: &'static str, summary: &'static str, default: f64) -> Parameter {
    Parameter::new(id, summary, "", Kind::Real { default, min: 0.01, max: 1.0 }).required()
}

/// Parameters of the streams.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Video {
    /// Mean rate of each stream, kb/s (1000 bits per second).
    pub rate_kbps: f64,
    /// Time between two frames of a stream, milliseconds.
    pub frame_ms: f64,
    /// Frames of a group of pictures.
    pub gop_frames: u32,
    /// Every so many frames is an I or P frame.
    pub anchor_distance: u32,
    /// Mean size of a P frame over that of an I frame.
    pub p_to_i: f64,
    /// Mean size of a B frame over that of an I frame.
    pub b_to_i: f64,
    /// Largest frame over the mean of all.
    pub peak_to_mean: f64,
    /// Standard deviation over mean of the frames of a kind.
    pub variation: f64,
}

/// The kind of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Picture {
    I,
    P,
    B,
}

const PICTURES: [Picture; 3] = [Picture::I, Picture::P, Picture::B];

impl Video {
    /// Mean bytes of a frame of a stream with the full rate.
    fn mean_frame(&self) -> f64 {
        streams::bytes_per_second(self.rate_kbps) * self.frame_ms * 1e-3
    }

    /// Bytes of the largest frame.
    fn largest_frame(&self) -> f64 {
        self.mean_frame() * self.peak_to_mean
    }

    /// The kind of frame number `frame` of a group of pictures, in the order in which they are
    /// shown: I B B P B B P ...
    fn picture(&self, frame: u32) -> Picture {
        match frame {
            0 => Picture::I,
            _ if frame.is_multiple_of(self.anchor_distance) => Picture::P,
            _ => Picture::B,
        }
    }

    /// Frames of a kind in a group of pictures.
    fn count(&self, picture: Picture) -> u32 {
        let anchors = self.gop_frames.div_ceil(self.anchor_distance);
        match picture {
            Picture::I => 1,
            Picture::P => anchors - 1,
            Picture::B => self.gop_frames - anchors,
        }
    }

    /// Mean size of the frames of a kind over that of an I frame.
    fn ratio(&self, picture: Picture) -> f64 {
        match picture {
            Picture::I => 1.0,
            Picture::P => self.p_to_i,
            Picture::B => self.b_to_i,
        }
    }

    /// The mean over the frames of a group of pictures.
    fn mean_over_group(&self, of: impl Fn(Picture) -> f64) -> f64 {
        let sum: f64 = PICTURES.iter().map(|&p| f64::from(self.count(p)) * of(p)).sum();
        sum / f64::from(self.gop_frames)
    }

    fn sizes(&self) -> FrameSizes {
        let (mean, largest) = (self.mean_frame(), self.largest_frame());
        let i_mean = self.i_mean_before_cut(mean, largest);
        let law = |picture| {
            let mean = i_mean * self.ratio(picture);
            LogNormal::from_mean_cv(mean, self.variation).expect("a mean above 0")
        };
        FrameSizes { laws: PICTURES.map(law), largest }
    }

    /// The mean of I frames before they are cut to the largest size, so that the mean of all frames
    /// after the cut is `mean`. It is searched for by bisection: what is cut off has a closed form,
    /// but its inverse has none.
    fn i_mean_before_cut(&self, mean: f64, largest: f64) -> f64 {
        let after_cut = |i_mean: f64| {
            self.mean_over_group(|p| mean_of_cut(i_mean * self.ratio(p), self.variation, largest))
        };
        let mut low = mean / self.mean_over_group(|picture| self.ratio(picture));
        let mut high = low;
        // Where even the largest size for all frames is not above the mean, there is no such value.
        for _ in 0..64 {
            if after_cut(high) >= mean {
                break;
            }
            high *= 2.0;
        }
        for _ in 0..64 {
            let middle = (low + high) / 2.0;
            if after_cut(middle) < mean { low = middle } else { high = middle }
        }
        high
    }
}

/// The mean of a lognormal quantity of which all above `largest` is cut off. `variation` is its
/// standard deviation over its mean.
fn mean_of_cut(mean: f64, variation: f64, largest: f64) -> f64 {
    if variation == 0.0 {
        return mean.min(largest);
    }
    // The share of a standard normal distribution below x.
    let normal = |x: f64| 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
    let variance = libm::log(1.0 + variation * variation);
    let sigma = libm::sqrt(variance);
    let mu = libm::log(mean) - variance / 2.0;
    let cut = (libm::log(largest) - mu) / sigma;
    mean * normal(cut - sigma) + largest * normal(-cut)
}

impl Arrival for Video {
    fn streams(&self, offer: &Offer<'_>) -> u64 {
        Division::of(offer, self.rate_kbps).streams()
    }

    fn has_connections(&self) -> bool {
        true
    }

    fn frame_us(&self) -> f64 {
        1000.0 * self.frame_ms
    }

    fn keeps_phases(&self) -> bool {
        true
    }

    /// All ask for the full rate: which stream is slower is drawn among those that are admitted.
    fn connections(&self, offer: &Offer<'_>) -> Option<Connections> {
        let division = Division::of(offer, self.rate_kbps);
        let equal = division.streams();
        Some(Connections { equal, slower: None, ..division.connections(self.rate_kbps) })
    }

    fn check_relations(&self, at: &str, problems: &mut Problems) {
        let least_peak = 1.0 / self.mean_over_group(|picture| self.ratio(picture));
        if self.peak_to_mean < least_peak {
            problems.add(
                format!("{at}.peak_to_mean"),
                messages::peak_below_i_frames(format!("{least_peak:.2}"), self.peak_to_mean),
                messages::use_at_least(format!("{:.2}", (least_peak * 100.0).ceil() / 100.0)),
            );
        }
    }

    fn check_offer(&self, offer: &Offer<'_>, at: &str, problems: &mut Problems) {
        // Frames of a rate above the link's are too large for that reason.
        if !streams::check_rate(self.rate_kbps, offer, at, problems) {
            return;
        }
        let longest = self.largest_frame();
        if longest > f64::from(MAX_MESSAGE_BYTES) {
            problems.add(
                format!("{at}.arrival"),
                messages::frame_of_bytes(longest.ceil()),
                messages::shorter_frames(MAX_MESSAGE_BYTES),
            );
            return;
        }
        if !offer.sizes.is_one_size() {
            problems.add(
                format!("{at}.size"),
                messages::packets_of_several_sizes(),
                messages::use_fixed_size(),
            );
            return;
        }
        let packet = f64::from(offer.sizes.largest());
        let mean = self.mean_frame();
        if mean < packet {
            problems.add(
                format!("{at}.size.bytes"),
                messages::frame_below_packet(format!("{mean:.0}"), packet),
                messages::shorter_packets_or_longer_frames(mean.floor()),
            );
            return;
        }
        let packets = (self.largest_frame() / packet).ceil();
        if packets > f64::from(MAX_AT_ONCE) {
            problems.add(
                format!("{at}.size.bytes"),
                messages::packets_of_a_frame(packets),
                messages::use_at_least((self.largest_frame() / f64::from(MAX_AT_ONCE)).ceil()),
            );
        }
        let Division { whole, rest } = Division::of(offer, self.rate_kbps);
        if whole == 0 && mean * rest < packet * (1.0 - ROUNDING) {
            let least = rounded_up(offer.load * packet / (mean * rest));
            problems.add(
                format!("{at}.load"),
                messages::less_than_a_stream(format!("{rest:.1e}"), format!("{:.0}", mean * rest)),
                messages::use_load_at_least(format!("{least:e}"), offer.unit.symbol()),
            );
        }
    }

    fn process(&self, setup: &mut Setup<'_>) -> Option<Box<dyn Process>> {
        let division = Division::of(&setup.offer, self.rate_kbps);
        let period = setup.offer.units(self.frame_ms * 1e-3);
        let streams = Streams::new(division.streams(), period, setup);
        let random = &mut setup.random;
        let first_frame = |_| random.random_range(0..self.gop_frames) as u16;
        let first_frames: Vec<u16> = (0..streams.len()).map(first_frame).collect();
        // Phases sort the streams, so which of them is slower is drawn.
        let slower = (division.rest > 0.0 && streams.len() > 0)
            .then(|| (random.random_range(0..streams.len()), division.rest));
        Some(Box::new(Source {
            streams,
            spec: Arc::new(self.clone()),
            sizes: self.sizes(),
            first_frames: first_frames.into(),
            slower,
            packet: setup.offer.sizes.largest(),
            frame: Frame { at: 0, to: 0, rest: 0 },
            random: setup.random.clone(),
        }))
    }
}

/// The sizes of frames.
#[derive(Debug, Clone)]
struct FrameSizes {
    /// Of I, P and B frames before they are cut, bytes.
    laws: [LogNormal<f64>; 3],
    /// Bytes of the largest frame.
    largest: f64,
}

impl FrameSizes {
    fn sample(&self, picture: Picture, random: &mut Pcg64Mcg) -> f64 {
        self.laws[picture as usize].sample(random).min(self.largest)
    }
}

/// The streams of a source.
#[derive(Debug, Clone)]
struct Source {
    streams: Streams,
    spec: Arc<Video>,
    sizes: FrameSizes,
    /// The first frame of each stream in a group of pictures.
    first_frames: Arc<[u16]>,
    /// The stream that carries the rest of the load, if there is a rest, and its part of the full
    /// rate.
    slower: Option<(usize, f64)>,
    /// Bytes of a packet.
    packet: u32,
    frame: Frame,
    random: Pcg64Mcg,
}

/// The frame in progress.
#[derive(Debug, Clone, Copy)]
struct Frame {
    at: u64,
    to: u32,
    /// Bytes that are not yet in a packet.
    rest: u32,
}

impl Source {
    /// Draws the next frame. Its last bytes make a shorter packet; no frame is empty.
    fn begin_frame(&mut self) -> Option<()> {
        let Turn { at, stream, to, period } = self.streams.turn()?;
        self.streams.advance();
        let frames = u64::from(self.spec.gop_frames);
        let frame = (u64::from(self.first_frames[stream]) + period) % frames;
        let bytes = self.sizes.sample(self.spec.picture(frame as u32), &mut self.random);
        let part =
            self.slower.filter(|&(slower, _)| slower == stream).map_or(1.0, |(_, part)| part);
        self.frame = Frame { at, to, rest: (libm::round(bytes * part) as u32).max(1) };
        Some(())
    }
}

impl Process for Source {
    fn next(&mut self) -> Option<Arriving> {
        if self.frame.rest == 0 {
            self.begin_frame()?;
        }
        let frame = Some(self.frame.rest.div_ceil(self.packet));
        let payload = self.frame.rest.min(self.packet);
        self.frame.rest -= payload;
        let Frame { at, to, .. } = self.frame;
        Some(Arriving { at, to: Some(to), payload: Some(payload), frame })
    }

    fn boxed(&self) -> Box<dyn Process> {
        Box::new(self.clone())
    }
}
