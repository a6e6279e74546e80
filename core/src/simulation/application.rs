//! The application of a run: which one a scenario has, and when its program goes on.
//!
//! A source of messages per rank follows those of the traffic. The driver reports tails and
//! deliveries to the program ([`OnHosts`](crate::driver::OnHosts)). The run then stops at the end
//! of the cycle, and [`Simulation::advance_application`] starts what has become ready in the next
//! one. So the fabrics know nothing of applications, and a run without one pays a comparison per
//! message.

use super::Simulation;
use crate::driver::Phase;
use crate::engine::Cycle;
use crate::messages;
use crate::problem::Problems;
use crate::scenario::{ApplicationKind, ApplicationSpec, FlowSpec, Scenario, SizeSpec};
use crate::traffic::sizes::Fixed;
use hopscope_application::Application;

/// The application that a scenario describes, on so many hosts.
pub(super) fn of(scenario: &Scenario, hosts: u32) -> Result<Option<Application>, Problems> {
    let Some(spec) = &scenario.application else { return Ok(None) };
    if spec.kind == ApplicationKind::Trace && spec.text.is_empty() {
        let why = messages::trace_without_text(&spec.file);
        return Err(Problems::one("application.file", why, messages::give_text_of_trace()));
    }
    Application::new(spec, hosts, scenario.seed, &spec.text).map(Some)
}

/// The flows of a scenario, and one that stands for the application, for checks of levels, hosts
/// and sizes.
pub(super) fn flows(scenario: &Scenario) -> Vec<FlowSpec> {
    let mut flows = scenario.traffic.clone();
    if let Some(application) = &scenario.application {
        let size = SizeSpec::Fixed(Fixed { bytes: packet_bytes(scenario) });
        let sources = application.hosts.clone();
        flows.push(FlowSpec { size, sources, level: application.level, ..FlowSpec::default() });
    }
    flows
}

/// Names the application in problems of the flow that stands for it.
pub(super) fn within(scenario: &Scenario, found: Result<(), Problems>) -> Result<(), Problems> {
    let flow = format!("traffic.{}", scenario.traffic.len());
    found.map_err(|mut problems| {
        for problem in &mut problems.0 {
            if let Some(rest) = problem.at.path().strip_prefix(&flow) {
                problem.at = match rest {
                    ".size" => "application.packet_bytes".into(),
                    rest => format!("application{rest}").into(),
                };
            }
        }
        problems
    })
}

/// The largest message that the application gives to a NIC, bytes.
pub(super) fn packet_bytes(scenario: &Scenario) -> u32 {
    match &scenario.application {
        Some(ApplicationSpec { packet_bytes: bytes @ 1.., .. }) => *bytes,
        _ => scenario.fabric.technique().application_packet_bytes(),
    }
}

impl Simulation {
    /// The service level of a flow, that of the application included.
    pub(super) fn level_of_flow(&self, flow: usize) -> u8 {
        let of_traffic = self.scenario.traffic.get(flow).map(|flow| flow.level);
        let of_application = || self.scenario.application.as_ref().map(|spec| spec.level);
        of_traffic.or_else(of_application).unwrap_or(0)
    }

    /// The last cycle that the fabric may reach before the application acts on its own.
    pub(super) fn until_application(&self, end: Cycle) -> Cycle {
        let next =
            self.driver.application.as_ref().and_then(|application| application.replay().next());
        next.map_or(end, |next| end.min(next.saturating_sub(1)).max(self.now()))
    }

    /// Starts what the application does in the cycle after this one.
    pub(super) fn advance_application(&mut self) {
        let now = self.now() + 1;
        self.start_application(now);
    }

    /// Has the application handle its events up to time `now`, whose cycle is not handled yet.
    pub(super) fn start_application(&mut self, now: Cycle) {
        let acts = std::mem::take(&mut self.driver.application_acts);
        let Some(application) = &mut self.driver.application else { return };
        if acts || application.replay().next().is_some_and(|next| next <= now) {
            let mut sources = Vec::new();
            application.advance(now, &mut sources);
            for source in sources {
                self.fabric.start_source(source, now);
            }
        }
    }

    /// True if the run has an application that has finished.
    pub(super) fn has_finished_application(&self) -> bool {
        self.driver
            .application
            .as_ref()
            .is_some_and(|application| application.replay().is_finished())
    }

    /// True if the application has finished and is measured. The run is then over, whatever traffic
    /// was sent beside it.
    pub(super) fn is_application_over(&self) -> bool {
        self.phase == Phase::Done && self.has_finished_application()
    }

    /// True if the run has an application that can never finish.
    pub(super) fn has_stuck_application(&self) -> bool {
        self.driver.application.as_ref().is_some_and(|application| application.replay().is_stuck())
    }
}
