//! `hopscope admit`: connections admitted and refused, with the link that refuses.

use crate::files;
use crate::outcome::{Outcome, Result, print, print_json};
use hopscope_core::admission::{self, Admission, Filled, FlowAdmission};
use hopscope_core::fabric::Fabric;
use hopscope_core::network::{ChannelId, End, Network};
use hopscope_core::routing;
use hopscope_core::scenario::Scenario;
use hopscope_core::simulation::Simulation;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// Scenario file, or - for standard input
    file: PathBuf,
    /// Change a field, such as fabric.qos.admission.share_percent=75
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Fill an empty network: sources go on asking, one connection each in turn, until no other
    /// connection fits; other destinations could leave room for more
    #[arg(long)]
    fill: bool,
    /// Read routes from this dump instead of computing them
    #[arg(long, value_name = "DUMP")]
    routes: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// What is printed: the connections of each flow, and what is reserved on each link.
struct Findings<'a> {
    scenario: &'a Scenario,
    network: &'a Network,
    flows: &'a [FlowAdmission],
    /// Per channel, bits per second.
    reserved: &'a [u64],
    link: u64,
    is_cut_off: bool,
}

pub fn run(arguments: &Arguments) -> Result {
    let (scenario, network) = files::runnable(&arguments.file, &arguments.set)?;
    let technique = scenario.fabric.technique();
    if technique.admission().is_none_or(|admission| admission.levels.is_empty()) {
        return Err(admission::no_admission(technique));
    }
    let routing = crate::routes::routing(&scenario, &network, arguments.routes.as_deref())?;
    let routing::Routing { table, report, .. } = &routing;
    Fabric::check_routes(&scenario.fabric, &network, &scenario.traffic, table)?;
    let (selection, units) = (report.axes.selection, Simulation::units(&scenario));
    let link = admission::link_bits_per_second(&scenario.fabric);
    let (flows, reserved, is_cut_off) = if arguments.fill {
        let Filled { flows, reserved, is_cut_off } =
            admission::fill(&scenario, &network, table, selection, units)?;
        (flows, reserved, is_cut_off)
    } else {
        let decided = Admission::decide(&scenario, &network, table, selection, units)?;
        (decided.flows, decided.most_reserved, false)
    };
    let findings = Findings {
        scenario: &scenario,
        network: &network,
        flows: &flows,
        reserved: &reserved,
        link,
        is_cut_off,
    };
    if arguments.json {
        print_json(&findings.json());
    } else {
        print(&findings.describe());
    }
    Ok(Outcome::Done)
}

impl Findings<'_> {
    /// The name of a flow, or its number if it has none.
    fn flow_name(&self, flow: usize) -> String {
        let name = &self.scenario.traffic[flow].name;
        if name.is_empty() { format!("flow {flow}") } else { name.clone() }
    }

    fn end(&self, end: End) -> String {
        match end {
            End::Host(host) => self.network.hosts()[host.index()].name.clone(),
            End::Switch(switch, _) => self.network.switches()[switch.index()].name.clone(),
        }
    }

    fn link_name(&self, channel: ChannelId) -> String {
        let ends = self.network.channels()[channel.index()];
        format!("{} -> {}", self.end(ends.from), self.end(ends.to))
    }

    fn share(&self, reserved: u64) -> f64 {
        reserved as f64 / self.link as f64
    }

    /// The channels with something reserved, the fullest first.
    fn links(&self) -> Vec<(ChannelId, u64)> {
        let all = self.reserved.iter().enumerate().filter(|(_, reserved)| **reserved > 0);
        let mut links: Vec<_> = all.map(|(i, &reserved)| (ChannelId::new(i), reserved)).collect();
        links.sort_by_key(|&(channel, reserved)| (std::cmp::Reverse(reserved), channel.index()));
        links
    }

    fn json(&self) -> Value {
        let channel = |channel: ChannelId| {
            let ends = self.network.channels()[channel.index()];
            json!({ "channel": channel.index(), "from": self.end(ends.from), "to": self.end(ends.to) })
        };
        let with = |mut object: Value, fields: &[(&str, Value)]| {
            fields.iter().for_each(|(name, value)| object[*name] = value.clone());
            object
        };
        let flow = |of: &FlowAdmission| {
            let spec = &self.scenario.traffic[of.flow];
            let refused_by = of
                .refused_by
                .iter()
                .map(|(&by, &count)| with(channel(by), &[("connections", json!(count))]));
            json!({
                "flow": of.flow, "name": spec.name, "level": spec.level,
                "bits_per_second": of.bits_per_second, "asked": of.asked,
                "admitted": of.admitted, "refused": of.refused(),
                "refused_by": refused_by.collect::<Vec<_>>(),
            })
        };
        let link = |&(c, reserved): &(ChannelId, u64)| {
            with(
                channel(c),
                &[
                    ("reserved_bits_per_second", json!(reserved)),
                    ("share", json!(self.share(reserved))),
                ],
            )
        };
        json!({
            "link_bits_per_second": self.link,
            "flows": self.flows.iter().map(flow).collect::<Vec<_>>(),
            "links": self.links().iter().map(link).collect::<Vec<_>>(),
            "cut_off": self.is_cut_off,
        })
    }

    fn describe(&self) -> String {
        let mut text = String::new();
        if self.flows.is_empty() {
            let admission = self.scenario.fabric.technique().admission();
            let levels = admission.into_iter().flat_map(|admission| &admission.levels);
            let levels: Vec<String> = levels.map(u8::to_string).collect();
            let levels = levels.join(", ");
            let _ = writeln!(text, "no flow is on a level under admission control: {levels}");
        }
        let mut line = |cells: [String; 6]| {
            let [flow, level, rate, asked, admitted, refused] = cells;
            let _ = writeln!(
                text,
                "{flow:<20} {level:>5} {rate:>12} {asked:>10} {admitted:>10} {refused:>10}"
            );
        };
        line(["flow", "level", "kb/s", "asked", "admitted", "refused"].map(String::from));
        for of in self.flows {
            let spec = &self.scenario.traffic[of.flow];
            let name = if spec.name.is_empty() { of.flow.to_string() } else { spec.name.clone() };
            line([
                name,
                spec.level.to_string(),
                format!("{}", of.bits_per_second as f64 / 1000.0),
                of.asked.to_string(),
                of.admitted.to_string(),
                of.refused().to_string(),
            ]);
        }
        for of in self.flows {
            let mut by: Vec<_> = of.refused_by.iter().collect();
            by.sort_by_key(|&(channel, &count)| (std::cmp::Reverse(count), channel.index()));
            for (&channel, count) in by {
                let name = self.link_name(channel);
                let _ = writeln!(text, "{}: {count} refused by {name}", self.flow_name(of.flow));
            }
        }
        let _ = writeln!(text, "reserved of {} Mb/s a link:", self.link as f64 / 1e6);
        for (channel, reserved) in self.links() {
            let (share, name) = (100.0 * self.share(reserved), self.link_name(channel));
            let _ = writeln!(text, "{share:>6.2} %  {name}");
        }
        if self.is_cut_off {
            text.push_str("cut off: a scenario has no more connections than this\n");
        }
        text
    }
}
