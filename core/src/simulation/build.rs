//! A simulation from a scenario that is checked, and its network and routes: the checks that need
//! routes, the fabric, its driver, and the whole.

use super::phases::Bounds;
use super::{Simulation, Stops, application, memory};
use crate::admission::Admission;
use crate::check::Fingerprint;
use crate::driver::{OnHosts, Phase, Selector, SimulationDriver};
use crate::engine::Cycle;
use crate::fabric::Fabric;
use crate::measure::{Extent, Frames, Transient, WarmUp, Window};
use crate::messages;
use crate::network::Network;
use crate::problem::Problems;
use crate::routing::Routing;
use crate::routing::dependencies::Verdict;
use crate::scenario::limits::MAX_OUTSTANDING_MESSAGES;
use crate::scenario::{FlowSpec, Scenario, Technique};
use crate::traffic::Traffic;
use hopscope_application::{Application, Replay};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

impl Simulation {
    /// The simulation of a scenario that has passed [`Self::check_scenario`], with the application
    /// `given` or else its own.
    pub(super) fn build(
        scenario: &Scenario,
        network: Arc<Network>,
        routing: Arc<Routing>,
        given: Option<&Application>,
    ) -> Result<Self, Problems> {
        let described = match given {
            Some(_) => None,
            None => application::of(scenario, network.hosts().len() as u32)?,
        };
        let program = given.or(described.as_ref());
        let technique = scenario.fabric.technique();
        check_cycles(technique, &routing)?;
        let (table, selection) = (&routing.table, routing.report.axes.selection);
        let (for_fabric, seed) = (Arc::clone(&network), scenario.seed);
        let mut fabric = Fabric::new(&scenario.fabric, for_fabric, Arc::clone(table), seed)?;
        let flows = application::flows(scenario);
        let checked = Fabric::check_routes(&scenario.fabric, &network, &flows, table);
        application::within(scenario, checked)?;
        let units = Self::units(scenario);
        let admission = Admission::decide(scenario, &network, table, selection, units)?;
        let answers = |flow, host| admission.of_source(flow, host);
        let traffic = Traffic::admitted(&scenario.traffic, &network, units, seed, &answers);
        check_senders(&scenario.traffic, &traffic)?;

        if is_proven(&routing) {
            fabric.skip_deadlock_search();
        }
        if selection.learns() || program.is_some() {
            fabric.report_tails();
        }
        for &(source, first) in traffic.first_events() {
            fabric.start_source(source, first);
        }
        let measure = &scenario.measure;
        let measuring = measure.warmup_messages == 0 && measure.warmup_cycles == 0;
        let (phase, phase_ends) = match measuring {
            // All of an application is measured, from its start or that of the traffic.
            _ if program.is_some() => (Phase::Measuring, Bounds::NEVER),
            true => (Phase::Measuring, Bounds::of_measuring(measure, 0, 0)),
            false => (Phase::WarmUp, Bounds::of_warm_up(measure)),
        };
        let extent =
            memory::extent(scenario, &network, routing.report.routes.distance.max as usize);
        let driver = driver(scenario, &network, &routing, traffic, program, phase, extent);
        let mut simulation = Self {
            fabric,
            driver,
            routing,
            scenario: Arc::new(scenario.clone()),
            document: OnceLock::new(),
            units,
            levels: technique.levels().iter().map(|level| level.name.clone()).collect(),
            admission: admission.into(),
            delay_bounds: Arc::default(),
            extent,
            buffers: Self::buffer_samples(scenario, &network, 0),
            base: vec![(0, 0); network.channels().len()],
            end: None,
            stops_at_start: Stops { by_host: vec![0; network.hosts().len()], overflows: 0 },
            stops_at_end: None,
            warmup: WarmUp { messages: 0, cycles: 0, transient_ended: None },
            outstanding_at_start: 0,
            outstanding_at_end: 0,
            measured: None,
            phase,
            phase_ends,
        };
        simulation.start_application(0);
        Ok(simulation)
    }
}

/// The driver of a run that begins, with the messages of `traffic` and those of an application.
fn driver(
    scenario: &Scenario,
    network: &Arc<Network>,
    routing: &Routing,
    traffic: Traffic,
    program: Option<&Application>,
    phase: Phase,
    extent: Extent,
) -> SimulationDriver {
    let table = Arc::clone(&routing.table);
    let first_source = traffic.sources();
    let application = program.zip(scenario.application.as_ref()).map(|(program, spec)| {
        let cycle_ps = Simulation::units(scenario).cycle_ps;
        let packet_bytes = application::packet_bytes(scenario);
        let replay =
            Replay::new(Arc::clone(&program.program), cycle_ps, packet_bytes, spec.start_cycle);
        let flow = scenario.traffic.len() as u32;
        Box::new(OnHosts::new(replay, program.hosts.clone(), first_source, flow, spec.level))
    });
    let has_application = application.is_some();
    let of_application = |number: u32| if has_application { number } else { u32::MAX };
    let measure = &scenario.measure;
    // How many messages are measured beside an application is not known before its end.
    let messages = if has_application { 0 } else { measure.messages };
    SimulationDriver {
        application_acts: false,
        application_source: of_application(first_source),
        application_flow: of_application(scenario.traffic.len() as u32),
        application,
        traffic,
        selector: Selector::new(routing.report.axes.selection, &table, network, scenario.seed),
        switch_of_host: Arc::new(network.hosts().iter().map(|host| host.switch).collect()),
        network: Arc::clone(network),
        table,
        window: Window::new(0, messages, extent),
        frames: Frames::new(extent.flows),
        transient: (measure.find_warmup && !has_application).then(Transient::default),
        phase,
        fingerprint: Fingerprint::default(),
        flit_hops: 0,
        least_latency: vec![Cycle::MAX; extent.distance + 1],
        delivered: 0,
        generated: 0,
        outstanding: 0,
    }
}

/// True if the routes close no cycle and stop nowhere in transit, so that no deadlock can arise.
fn is_proven(routing: &Routing) -> bool {
    matches!(routing.verdict, Verdict::Acyclic(_))
        && routing.report.routes.itbs_per_route.mean == 0.0
}

/// Refuses cycles of routes where the fabric cannot have them: with set-aside queues, and with
/// private credits, which also exclude stops in transit.
fn check_cycles(technique: &dyn Technique, routing: &Routing) -> Result<(), Problems> {
    let is_acyclic = matches!(routing.verdict, Verdict::Acyclic(_));
    if technique.saqs() > 0 && !is_acyclic {
        return Err(Problems::one(
            "routing",
            messages::saqs_need_acyclic_routes(),
            messages::use_acyclic_routes(),
        ));
    }
    if technique.has_private_credits() && !is_proven(routing) {
        return Err(Problems::one(
            "routing",
            messages::private_credits_need_acyclic_routes(),
            messages::use_acyclic_routes_or_shared(),
        ));
    }
    Ok(())
}

/// A flow in which no host sends is a mistake in its pattern or its sources. Messages that are all
/// sent at once must fit into memory together, those of all flows that start in the same cycle.
fn check_senders(flows: &[FlowSpec], traffic: &Traffic) -> Result<(), Problems> {
    let mut problems = Problems::default();
    for flow in traffic.without_senders() {
        problems.add(
            format!("traffic.{flow}"),
            messages::flow_without_senders(),
            messages::another_pattern_or_sources(),
        );
    }
    let mut by_start: BTreeMap<Cycle, u64> = BTreeMap::new();
    for (flow, (spec, messages)) in flows.iter().zip(traffic.sent_at_once()).enumerate() {
        let together = by_start.entry(spec.start_cycle).or_default();
        *together += messages;
        if messages > 0 && *together > MAX_OUTSTANDING_MESSAGES {
            let why = match messages == *together {
                true => messages::too_many_at_once(messages),
                false => messages::too_many_at_once_together(*together),
            };
            problems.add(
                format!("traffic.{flow}.arrival.messages"),
                why,
                messages::at_most_at_once(MAX_OUTSTANDING_MESSAGES),
            );
        }
    }
    problems.or(())
}
