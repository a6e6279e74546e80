//! The steps from choices to routes: [`compute`], or [`compute_with`] to be told of progress and to
//! stop. [`Computation`] holds what the steps share.

use super::balance::balanced;
use super::cycles::{Broken, Taking, Task};
use super::d_mod_k;
use super::dependencies::{Dependencies, Verdict, transitions_made};
use super::dimension_order;
use super::hostless;
use super::itb_host::with_itbs;
use super::least_maximum::least_maximum;
use super::memory;
use super::messages;
use super::note::Note;
use super::nue::nue;
use super::orientation::{self, Orientation};
use super::paths::{Paths, Wanted};
use super::placement::{self, TransitionSets};
use super::prepared_network::PreparedNetwork;
use super::report::{Report, forbidden_share};
use super::smart;
use super::table::{RouteSet, RouteTable};
use super::{Axes, Own, Plain};
use crate::network::Network;
use crate::problem::Problems;
use crate::scenario::{self, CandidateSet, Choice, Placement, Root, RoutingSpec};
use hopscope_scenario::routing::placements::Places;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Routes, and what is known about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Routing {
    /// The routes.
    pub table: Arc<RouteTable>,
    /// The orientation, where the routing uses one.
    pub orientation: Option<Orientation>,
    /// Where routes need ITBs, and which transitions they may not make; of two sets, for the
    /// second.
    pub transitions: TransitionSets,
    /// The proof that no deadlock can arise, or the cycle.
    pub verdict: Verdict,
    /// The figures.
    pub report: Report,
}

/// Progress of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// Parts done.
    pub done: usize,
    /// Parts in all.
    pub of: usize,
}

/// A stage of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Listing the candidates of each pair.
    Candidates,
    /// Choosing among them.
    Choice,
    /// Breaking cycles of the channel dependency graph.
    Cycles,
}

/// Computes the routes of a network.
///
/// # Errors
/// Choices that make no sense together, a network that the routing cannot be used on, or one whose
/// hosts cannot reach each other.
pub fn compute(network: &Network, spec: &RoutingSpec) -> Result<Routing, Problems> {
    let routing = compute_with(network, spec, &mut |_| ControlFlow::Continue(()))?;
    Ok(routing.expect("the listener never stops the work"))
}

/// As [`compute`], telling the listener of progress. A listener that breaks stops the work, which
/// gives `None`.
///
/// # Errors
/// As [`compute`].
pub fn compute_with(
    network: &Network,
    spec: &RoutingSpec,
    listener: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Option<Routing>, Problems> {
    let axes = Axes::resolve(spec)?;
    let prepared = PreparedNetwork::new(network)?;
    memory::Estimate::of(network).check()?;
    Computation { prepared: &prepared, spec, axes, notes: Vec::new(), orientation: None, listener }
        .run()
}

/// The state of a computation while it runs.
struct Computation<'a> {
    prepared: &'a PreparedNetwork<'a>,
    spec: &'a RoutingSpec,
    axes: Axes,
    notes: Vec<Note>,
    orientation: Option<Orientation>,
    listener: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
}

impl Computation<'_> {
    fn run(mut self) -> Result<Option<Routing>, Problems> {
        match self.axes.own {
            Some(Own::Nue) => return self.nue(),
            Some(Own::DimensionOrder) => return self.dimension_order(),
            Some(Own::DModK) => return self.d_mod_k(),
            None => {}
        }
        if self.axes.uses_tree() {
            self.orientation = Some(self.orient()?);
        } else if self.spec.orientation.is_some() || self.spec.root != Root::Auto {
            self.notes.push(Note::NoTree);
        }
        let mut transitions = self.transition_sets()?;
        if self.axes.paths == CandidateSet::NearShortest && self.axes.placement == Placement::None {
            let Some(free) = self.smart()? else { return Ok(None) };
            transitions = TransitionSets::without_itbs(free);
        }
        let mut sets = Vec::new();
        if let Some(plain) = self.axes.plain {
            let Some(set) = self.plain_set(plain)? else { return Ok(None) };
            sets.push(set);
        }
        let Some(paths) = self.candidates(&transitions)? else { return Ok(None) };
        let Some(mut paths) = self.chosen(paths)? else { return Ok(None) };
        let mut counts = None;
        if self.by_cycle() {
            let Some(broken) = self.break_cycles(&paths, &sets) else { return Ok(None) };
            (paths, transitions.free, counts) = (broken.paths, broken.free, Some(broken.counts));
        }
        sets.push(with_itbs(
            self.prepared,
            &paths,
            &transitions.free,
            self.spec.itb_host,
            self.spec.seed,
        ));
        let mut routing = self.conclude(sets, transitions)?;
        routing.report.cycle_breaking = counts;
        Ok(Some(routing))
    }

    fn nue(mut self) -> Result<Option<Routing>, Problems> {
        let (prepared, seed) = (self.prepared, self.spec.seed);
        let rule = if self.spec.root == Root::Auto { &Root::Central } else { &self.spec.root };
        let root = orientation::root(prepared, rule, seed, &mut self.notes)?;
        let Some(nue) =
            nue(prepared, root, seed, |done, of| self.tell(Stage::Candidates, done, of))
        else {
            return Ok(None);
        };
        if nue.escaped > 0 {
            self.notes.push(Note::Escaped { destinations: nue.escaped, of: prepared.ends.len() });
        }
        let transitions = TransitionSets::without_itbs(nue.free);
        let set = with_itbs(prepared, &nue.paths, &transitions.free, self.spec.itb_host, seed);
        let mut routing = self.conclude(vec![set], transitions)?;
        routing.report.root = Some(root);
        Ok(Some(routing))
    }

    fn dimension_order(mut self) -> Result<Option<Routing>, Problems> {
        let prepared = self.prepared;
        let grid = dimension_order::Grid::of(prepared.network)?;
        self.notes.push(grid.note());
        let set = grid.routes(prepared, self.spec.halfway);
        self.conclude_own(set).map(Some)
    }

    fn d_mod_k(self) -> Result<Option<Routing>, Problems> {
        let set = d_mod_k::routes(self.prepared, self.axes.selection)?;
        self.conclude_own(set).map(Some)
    }

    /// The end of a routing that makes its own routes and no ITBs.
    fn conclude_own(self, set: RouteSet) -> Result<Routing, Problems> {
        let every = self.prepared.transitions.where_(self.prepared.network, |_, _| true);
        self.conclude(vec![set], TransitionSets::without_itbs(every))
    }

    fn orient(&mut self) -> Result<Orientation, Problems> {
        let rule = match (&self.spec.root, self.axes.orientation) {
            (Root::Auto, scenario::Orientation::DepthFirst) => &Root::Peripheral,
            (rule, _) => rule,
        };
        let root = orientation::root(self.prepared, rule, self.spec.seed, &mut self.notes)?;
        match self.axes.orientation {
            scenario::Orientation::BreadthFirst => {
                Ok(Orientation::breadth_first(self.prepared, root))
            }
            scenario::Orientation::DepthFirst => Ok(Orientation::depth_first(self.prepared, root)),
        }
    }

    fn legal(&self) -> &[bool] {
        &self.orientation.as_ref().expect("uses_tree says so").allowed
    }

    /// The transitions that are free and usable, where they are known in advance.
    fn transition_sets(&self) -> Result<TransitionSets, Problems> {
        let prepared = self.prepared;
        let every = || prepared.transitions.where_(prepared.network, |_, _| true);
        let mut transitions = match self.axes.placement.places() {
            Places::Nowhere => TransitionSets::without_itbs(every()),
            Places::ForbiddenTransitions => {
                TransitionSets::with_itbs(prepared, self.legal().to_vec())
            }
            // Decided by the cycles that the chosen routes close.
            Places::Cycles { .. } => TransitionSets::without_itbs(every()),
            Places::Numbers(rule) => {
                let numbers = placement::numbers(prepared, self.spec.seed);
                let free = placement::free(prepared, rule, &numbers, &self.at_hostless());
                TransitionSets::with_itbs(prepared, free)
            }
            Places::EverySwitch => TransitionSets::with_itbs(prepared, self.at_hostless()),
        };
        if self.axes.paths == CandidateSet::ShortestLegal {
            transitions.only(prepared, self.legal());
        }
        Ok(transitions)
    }

    /// Transitions of smart routing.
    fn smart(&mut self) -> Result<Option<Vec<bool>>, Problems> {
        let prepared = self.prepared;
        let size = prepared.ends.len() * prepared.network.network_channels();
        if size > smart::MAX_SIZE {
            return Err(Problems::one(
                "routing.paths",
                messages::smart_search_too_large(size),
                messages::smaller_network_for_smart(smart::MAX_SIZE),
            ));
        }
        let root = orientation::root(prepared, &Root::Peripheral, self.spec.seed, &mut self.notes)?;
        let start = Orientation::depth_first(prepared, root);
        Ok(smart::acyclic(prepared, &start.allowed, self.spec.seed, |done, of| {
            self.tell(Stage::Cycles, done, of)
        }))
    }

    fn candidates(&mut self, transitions: &TransitionSets) -> Result<Option<Paths>, Problems> {
        let choice = self.axes.choice;
        let several = self.axes.selection.several_routes();
        let wanted = Wanted {
            usable: &transitions.usable,
            preferred: (choice == Choice::FewestItbs && !self.by_cycle())
                .then_some(&transitions.free),
            longer: self.axes.paths == CandidateSet::NearShortest,
            most: self.spec.max_candidates,
            rule: self.spec.candidates,
            draw_one: !several
                && (choice == Choice::Random || (choice == Choice::FewestItbs && !self.by_cycle())),
            seed: self.spec.seed,
        };
        if wanted.draws_from_all()
            && self.spec.max_candidates != RoutingSpec::default().max_candidates
        {
            self.notes.push(Note::CandidatesUnused);
        }
        self.list(&wanted)
    }

    fn list(&mut self, wanted: &Wanted<'_>) -> Result<Option<Paths>, Problems> {
        let prepared = self.prepared;
        wanted.list(prepared, |done, of| self.tell(Stage::Candidates, done, of))
    }

    fn chosen(&mut self, paths: Paths) -> Result<Option<Paths>, Problems> {
        let channels = self.prepared.network.network_channels();
        match self.axes.choice {
            Choice::Random | Choice::FewestItbs => Ok(Some(paths)),
            Choice::Balanced => {
                Ok(balanced(&paths, channels, |done, of| self.tell(Stage::Choice, done, of)))
            }
            Choice::SmartBalance => {
                Ok(least_maximum(&paths, channels, |done, of| self.tell(Stage::Choice, done, of)))
            }
        }
    }

    /// Tells the listener of progress; false if it stops the work.
    fn tell(&mut self, stage: Stage, done: usize, of: usize) -> bool {
        (self.listener)(Progress { stage, done, of }).is_continue()
    }

    /// Transitions at switches without hosts that let every pair be reached and close no cycle:
    /// those of the orientation, if there is one.
    fn at_hostless(&self) -> Vec<bool> {
        match &self.orientation {
            Some(o) => hostless::only_there(self.prepared, &o.allowed),
            None => hostless::only_there(self.prepared, &hostless::allowed(self.prepared)),
        }
    }

    fn by_cycle(&self) -> bool {
        matches!(self.axes.placement.places(), Places::Cycles { .. })
    }

    /// Breaks the cycles that the paths would close, together with the sets that are there already.
    fn break_cycles(&mut self, paths: &Paths, sets: &[RouteSet]) -> Option<Broken> {
        let prepared = self.prepared;
        let mut settled = self.at_hostless();
        for (number, made) in transitions_made(&prepared.transitions, sets).into_iter().enumerate()
        {
            settled[number] |= made;
        }
        let taking = Taking {
            prefer_free: self.axes.choice == Choice::FewestItbs,
            several: self.axes.selection.several_routes(),
            seed: self.spec.seed,
        };
        let fewest = matches!(self.axes.placement.places(), Places::Cycles { fewest: true });
        let task = Task { paths, settled: &settled, taking, fewest };
        task.run(prepared, |done, of| self.tell(Stage::Cycles, done, of))
    }

    /// The plain one of two sets: one route per pair.
    fn plain_set(&mut self, plain: Plain) -> Result<Option<RouteSet>, Problems> {
        let legal = self.legal().to_vec();
        let transitions = match plain {
            Plain::Legal => TransitionSets::without_itbs(legal),
            Plain::FewestItbs => TransitionSets::with_itbs(self.prepared, legal),
        };
        let wanted = Wanted {
            usable: &transitions.usable,
            preferred: Some(&transitions.free),
            longer: false,
            most: self.spec.max_candidates,
            rule: self.spec.candidates,
            draw_one: true,
            seed: self.spec.seed,
        };
        let paths = self.list(&wanted)?;
        Ok(paths.map(|p| {
            with_itbs(self.prepared, &p, &transitions.free, self.spec.itb_host, self.spec.seed)
        }))
    }

    fn conclude(
        mut self,
        sets: Vec<RouteSet>,
        transitions: TransitionSets,
    ) -> Result<Routing, Problems> {
        let prepared = self.prepared;
        let table = RouteTable::new(prepared.network, sets);
        let verdict = Dependencies::of(prepared.network, &table).verdict();
        let mut report =
            Report::new(prepared, self.spec.preset, self.axes, self.spec.seed, &table, &verdict);
        report.root = self.orientation.as_ref().map(|o| o.root);
        if !self.by_cycle() && self.axes.own.is_none() {
            report.forbidden_transition_share = Some(forbidden_share(prepared, &transitions.free));
        }
        let longer = 1.0 - report.routes.minimal_route_share;
        if self.axes.paths == CandidateSet::Minimal && longer > 0.0 {
            self.notes.push(Note::Longer { share: longer });
        }
        let dead = prepared.live.iter().filter(|live| !**live).count();
        if dead > 0 {
            self.notes.push(Note::CutOff { switches: dead });
        }
        report.notes = self.notes;
        Ok(Routing {
            table: Arc::new(table),
            orientation: self.orientation,
            transitions,
            verdict,
            report,
        })
    }
}
