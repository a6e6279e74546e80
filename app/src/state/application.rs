//! The application of the run beyond its results: the chart of ranks over time, and the critical
//! path on the network. Both are asked of the worker while they are shown.

use crate::protocol::{ShownPath, ShownTimeline, Stats, ToWorker};
use std::rc::Rc;

/// Ranks of the chart in the panel, at most.
pub const FEW_RANKS: u32 = 16;
/// Ranks of the large chart, at most.
pub const MANY_RANKS: u32 = 1024;

/// What the page shows of the application.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ApplicationView {
    /// The latest chart.
    pub timeline: Option<Rc<ShownTimeline>>,
    /// Ranks of the chart that the worker was told to send.
    told: Option<u32>,
    /// The critical path, once it is known.
    pub path: Option<Rc<ShownPath>>,
    /// The step of the path that is highlighted.
    pub step: Option<usize>,
    /// The number of the document that the path is of, or was asked of.
    asked: Option<u32>,
}

impl ApplicationView {
    /// What to tell the worker, if it does not know how many ranks the chart has; `None` for no
    /// chart.
    pub fn ask_for_timeline(&mut self, ranks: Option<u32>) -> Option<ToWorker> {
        let changes = self.told != ranks;
        self.told = ranks;
        changes.then_some(ToWorker::ShowTimeline { ranks })
    }

    /// Another worker was started, which does not know what is shown.
    pub fn forget_told(&mut self) {
        self.told = None;
        if self.path.is_none() {
            self.asked = None;
        }
    }

    /// Forgets the path of another document, and asks for that of this one if it is shown and the
    /// run is over.
    pub fn ask_for_path(&mut self, shown: bool, document: u32, stats: &Stats) -> Option<ToWorker> {
        if self.asked.is_some_and(|asked| asked != document) {
            (self.asked, self.path, self.step) = (None, None, None);
        }
        let asks = shown && self.asked.is_none() && stats.ended.is_some();
        asks.then(|| {
            self.asked = Some(document);
            ToWorker::CriticalPath
        })
    }

    /// Takes an answer about the critical path.
    pub fn take_path(&mut self, path: Option<Box<ShownPath>>) {
        self.path = path.map(|path| Rc::new(*path));
        self.step = None;
    }

    /// Highlights a step, or none.
    pub fn choose_step(&mut self, step: Option<usize>) {
        let steps = self.path.as_ref().map_or(0, |path| path.steps.len());
        self.step = step.filter(|step| *step < steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Ended, ShownStep, StepKind};

    #[test]
    fn the_worker_is_told_of_the_chart_when_it_changes() {
        let mut view = ApplicationView::default();
        assert_eq!(view.ask_for_timeline(None), None);
        let few = Some(FEW_RANKS);
        assert_eq!(view.ask_for_timeline(few), Some(ToWorker::ShowTimeline { ranks: few }));
        assert_eq!(view.ask_for_timeline(few), None);
        view.forget_told();
        assert!(view.ask_for_timeline(few).is_some());
        assert_eq!(view.ask_for_timeline(None), Some(ToWorker::ShowTimeline { ranks: None }));
    }

    #[test]
    fn the_path_is_asked_for_once_the_run_is_over_and_goes_with_its_document() {
        let mut view = ApplicationView::default();
        let runs = Stats::default();
        let ended = Stats { ended: Some(Ended::Finished), ..Stats::default() };
        assert_eq!(view.ask_for_path(true, 1, &runs), None);
        assert_eq!(view.ask_for_path(false, 1, &ended), None);
        assert_eq!(view.ask_for_path(true, 1, &ended), Some(ToWorker::CriticalPath));
        assert_eq!(view.ask_for_path(true, 1, &ended), None, "it is on its way");
        let step = ShownStep {
            kind: StepKind::Compute,
            rank: 0,
            to: 0,
            from_ns: 0.0,
            until_ns: 1.0,
            channels: Vec::new(),
        };
        let path = ShownPath { steps: vec![step], ..ShownPath::default() };
        view.take_path(Some(Box::new(path)));
        view.choose_step(Some(0));
        assert_eq!(view.step, Some(0));
        view.choose_step(Some(1));
        assert_eq!(view.step, None);
        assert_eq!(view.ask_for_path(true, 1, &runs), None);
        assert!(view.path.is_some(), "the path is that of the end, also when time goes back");
        assert_eq!(view.ask_for_path(false, 2, &runs), None);
        assert_eq!(view.path, None);
    }
}
