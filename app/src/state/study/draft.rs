//! An experiment as it is being composed: axes as they were typed, and the document that they make.

use crate::edit::numbers;
use crate::text::{Language, catalogue};
use hopscope_core::application::word;
use hopscope_core::experiment::{Axis, Experiment, FigureKind, Plot};
use hopscope_core::problem::{Place, Problem, Problems};
use hopscope_core::scenario::{ApplicationKind, Scenario};
use serde_json::{Map, Value, json};

/// Steps of a new axis.
const STEPS: usize = 12;
/// The least and the greatest load of a sweep, relative to that of the scenario. The steps between
/// grow by a factor, because saturation may be anywhere between.
const LOADS: [f64; 2] = [0.1, 1.5];
/// The least and the greatest load of a sweep with equal steps, relative to saturation.
const AROUND_SATURATION: [f64; 2] = [0.1, 1.15];
/// The bytes of a sweep of an application.
const BYTES: [u64; 6] = [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20];
/// Significant digits of generated values.
const DIGITS: i32 = 4;

/// An axis as it is typed.
#[derive(Debug, Clone, PartialEq)]
pub enum DraftAxis {
    /// A field takes values.
    Field {
        /// The field.
        path: String,
        /// Its values, separated by commas, or by semicolons where commas are decimal.
        values: String,
    },
    /// Several fields are set together. The page cannot edit it.
    Together(Axis),
}

/// An experiment as it is being composed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// Its title.
    pub name: String,
    /// Its axes.
    pub axes: Vec<DraftAxis>,
    /// What is plotted.
    pub figure: Plot,
    /// The scenario that is varied, as a document; that of the stage if there is none.
    pub base: Option<Value>,
}

impl Draft {
    /// The draft of an experiment.
    pub fn of(experiment: &Experiment) -> Draft {
        let axis = |axis: &Axis| match axis {
            Axis::Values { path, values } => {
                DraftAxis::Field { path: path.clone(), values: joined(values) }
            }
            together => DraftAxis::Together(together.clone()),
        };
        Draft {
            name: experiment.name.clone(),
            axes: experiment.axes.iter().map(axis).collect(),
            figure: experiment.figure,
            base: Some(experiment.base.clone()),
        }
    }

    /// The experiment that a scenario suggests: a sweep of the bytes of its application, or of the
    /// load ([`Self::load_sweep`]).
    pub fn suggested(scenario: &Scenario, saturation: Option<f64>) -> Draft {
        let Some(spec) = &scenario.application else {
            return Draft::load_sweep(scenario, saturation);
        };
        let axis = match has_bytes(spec.kind) {
            true => {
                let values: Vec<Value> = BYTES.iter().map(|&bytes| bytes.into()).collect();
                DraftAxis::Field { path: "application.bytes".into(), values: joined(&values) }
            }
            false => {
                let preset = scenario.routing.preset.descriptor().id.into();
                DraftAxis::Field { path: "routing.preset".into(), values: preset }
            }
        };
        let figure = Plot { logarithmic: has_bytes(spec.kind), ..Plot::default() };
        Draft { name: scenario.name.clone(), axes: vec![axis], figure, ..Draft::default() }
    }

    /// A sweep of the load of all flows, up to a little more than saturation if its factor on the
    /// scenario's load is known.
    pub fn load_sweep(scenario: &Scenario, saturation: Option<f64>) -> Draft {
        let factors: Vec<f64> = match saturation {
            Some(most) => {
                let [from, to] = AROUND_SATURATION.map(|share| share * most);
                spread(from, to, STEPS)
            }
            None => {
                let [from, to] = LOADS.map(f64::ln);
                spread(from, to, STEPS).into_iter().map(f64::exp).collect()
            }
        };
        let loads = |index: usize| {
            let load = scenario.traffic.get(index).map_or(0.0, |flow| flow.load);
            factors.iter().map(move |factor| rounded(factor * load)).collect::<Vec<f64>>()
        };
        let axis = if scenario.traffic.len() == 1 {
            let values: Vec<Value> = loads(0).into_iter().map(Value::from).collect();
            DraftAxis::Field { path: "traffic.0.load".into(), values: joined(&values) }
        } else {
            let loads: Vec<Vec<f64>> = (0..scenario.traffic.len()).map(loads).collect();
            let set = |step: usize| {
                let fields = loads.iter().enumerate();
                fields.map(|(i, of)| (format!("traffic.{i}.load"), of[step].into())).collect()
            };
            let settings: Vec<Map<String, Value>> = (0..STEPS).map(set).collect();
            DraftAxis::Together(Axis::Settings { name: "load".into(), settings })
        };
        Draft { name: scenario.name.clone(), axes: vec![axis], ..Draft::default() }
    }

    /// The experiment file that the draft makes, with the scenario of the stage.
    pub fn document(&self, stage: &Scenario) -> Value {
        self.on_base(self.base.clone().unwrap_or_else(|| stage.to_document()))
    }

    /// The draft as a text for a link. The scenario of the stage is left out: it stands in the link
    /// itself.
    pub fn to_link(&self) -> String {
        self.on_base(self.base.clone().unwrap_or_default()).to_string()
    }

    /// The draft of a link, whether or not it can run.
    ///
    /// # Errors
    ///
    /// The text is no experiment.
    pub fn from_link(text: &str) -> Result<Draft, serde_json::Error> {
        let experiment: Experiment = serde_json::from_str(text)?;
        let draft = Draft::of(&experiment);
        Ok(Draft { base: draft.base.filter(|base| !base.is_null()), ..draft })
    }

    fn on_base(&self, base: Value) -> Value {
        let axis = |axis: &DraftAxis| match axis {
            DraftAxis::Field { path, values } => {
                json!({ "path": path.trim(), "values": parsed(values) })
            }
            DraftAxis::Together(axis) => {
                serde_json::to_value(axis).expect("plain data has a JSON form")
            }
        };
        json!({
            "hopscope_experiment": 1,
            "name": self.name,
            "base": base,
            "axes": self.axes.iter().map(axis).collect::<Vec<Value>>(),
            "figure": self.figure,
        })
    }

    /// Sets the kind of figure; `None` for the one that suits the axes.
    pub fn set_kind(&mut self, kind: Option<FigureKind>) {
        self.figure.kind = kind;
    }

    /// The axis that a problem is about, if it is about one.
    pub fn axis_of(&self, problem: &Problem) -> Option<usize> {
        let Place::Point(_, place) = &problem.at else {
            return problem.at.path().strip_prefix("axes.")?.split('.').next()?.parse().ok();
        };
        let place = place.path();
        self.axes.iter().position(|axis| match axis {
            DraftAxis::Field { path, .. } => is_at(place, path.trim()),
            DraftAxis::Together(axis) => axis.fields().iter().any(|path| is_at(place, path)),
        })
    }

    /// The problems about an axis; those about none for `None`.
    pub fn problems_of(&self, axis: Option<usize>, all: &Problems) -> Problems {
        Problems(all.0.iter().filter(|problem| self.axis_of(problem) == axis).cloned().collect())
    }
}

/// Whether the size of an application of this kind can be chosen.
pub fn has_bytes(kind: ApplicationKind) -> bool {
    let member = catalogue::member("applications", word(kind));
    member.parameters.iter().any(|parameter| parameter.id == "bytes")
}

/// Whether a place is a field or lies in it.
fn is_at(place: &str, field: &str) -> bool {
    !field.is_empty()
        && place.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The values in a text: a JSON list without its brackets, or words separated by commas. Where
/// semicolons separate them, commas are decimal; so is that of a single number in a language that
/// writes it so. A number whose mark may separate thousands stays a text, which its field refuses.
fn parsed(text: &str) -> Vec<Value> {
    let text = text.trim();
    let has_decimal_comma = |word: &str| word.contains(',') && !word.ends_with(',');
    let decimal = |word: &str| numbers::real(word).filter(|_| has_decimal_comma(word));
    let list = serde_json::from_str::<Vec<Value>>(&format!("[{text}]"));
    let is_one = Language::spoken().decimal_mark() == ',' && decimal(text).is_some();
    if is_one || (list.is_err() && text.contains(';')) {
        let words = text.split(';').map(str::trim).filter(|word| !word.is_empty());
        let read = |word: &str| match value(word.to_owned()) {
            Value::Number(_) if numbers::may_have_thousands(word, false) => Value::from(word),
            other => decimal(word).map_or(other, Value::from),
        };
        return words.map(read).collect();
    }
    if let Ok(values) = list {
        return values;
    }
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| value(word.to_owned())).collect()
}

/// The value that a word stands for: that of its JSON, or the word.
fn value(word: String) -> Value {
    serde_json::from_str(&word).unwrap_or_else(|_| word.into())
}

/// Values as they are typed; words without quotes.
fn joined(values: &[Value]) -> String {
    let word = |value: &Value| match value {
        Value::String(word)
            if !word.contains(',') && serde_json::from_str::<Value>(word).is_err() =>
        {
            word.clone()
        }
        value => value.to_string(),
    };
    values.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// Values from one to another at equal distances, as they are typed. `None` if these are no numbers
/// or no steps.
pub fn range(from: &str, to: &str, steps: &str) -> Option<String> {
    let (from, to): (f64, f64) = (numbers::real(from)?, numbers::real(to)?);
    let steps: usize = steps.trim().parse().ok().filter(|steps| (1..=1000).contains(steps))?;
    let whole = |value: f64| {
        if value.fract() == 0.0 && value.abs() < 1e15 {
            Value::from(value as i64)
        } else {
            Value::from(value)
        }
    };
    let values = spread(from, to, steps).into_iter().map(rounded);
    Some(joined(&values.map(whole).collect::<Vec<_>>()))
}

fn spread(from: f64, to: f64, steps: usize) -> Vec<f64> {
    let last = steps.saturating_sub(1).max(1) as f64;
    (0..steps).map(|step| from + (to - from) * step as f64 / last).collect()
}

/// A number with few digits that count.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let places = (DIGITS - 1 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    format!("{value:.places$}").parse().unwrap_or(value)
}

/// Fields of a scenario that can be varied, with their values. Names, drawn networks and traces are
/// left out.
pub fn fields(document: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect("", document, &mut found);
    found
}

fn collect(path: &str, value: &Value, found: &mut Vec<(String, String)>) {
    const LEFT_OUT: [&str; 7] = [
        "hopscope",
        "name",
        "description",
        "network.switches",
        "network.hosts",
        "network.links",
        // A trace, which may be very long.
        "application.text",
    ];
    let is_left_out = |path: &str| LEFT_OUT.contains(&path) || path.ends_with(".name");
    match value {
        _ if is_left_out(path) => {}
        Value::Object(fields) => {
            for (key, value) in fields {
                let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(&below, value, found);
            }
        }
        Value::Array(list) if list.iter().any(Value::is_object) => {
            for (i, value) in list.iter().enumerate() {
                collect(&format!("{path}.{i}"), value, found);
            }
        }
        value => found.push((path.into(), joined(std::slice::from_ref(value)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::welcome;

    fn field(path: &str, values: &str) -> DraftAxis {
        DraftAxis::Field { path: path.into(), values: values.into() }
    }

    fn draft(axes: Vec<DraftAxis>) -> Draft {
        Draft { axes, ..Draft::default() }
    }

    #[test]
    fn values_with_decimal_commas_are_separated_by_semicolons() {
        let numbers = [0.01, 0.02, -3.5].map(Value::from).to_vec();
        assert_eq!(parsed("0,01; 0,02; -3,5"), numbers);
        assert_eq!(parsed("0.01, 0.02, -3.5"), numbers);
        assert_eq!(parsed("UD; 0,5;"), [json!("UD"), json!(0.5)]);
        assert_eq!(parsed("4,8"), [json!(4), json!(8)]);
        assert_eq!(parsed("1,000; 2,000"), [json!("1,000"), json!("2,000")]);
        assert_eq!(parsed("1.000; 2.5"), [json!(1.0), json!(2.5)]);
        Language::Spanish.speak();
        let found = [parsed("0,03"), parsed("4, 8"), parsed("0.5")];
        let last_comma = parsed("5,");
        let thousands = parsed("1.000; 2.000; 1,125");
        Language::English.speak();
        assert_eq!(last_comma, [json!(5)]);
        assert_eq!(thousands, [json!("1.000"), json!("2.000"), json!(1.125)]);
        assert_eq!(found, [vec![json!(0.03)], vec![json!(4), json!(8)], vec![json!(0.5)]]);
        assert_eq!(range("0,1", "0,3", "3").as_deref(), Some("0.1, 0.2, 0.3"));
    }

    #[test]
    fn what_is_typed_becomes_an_experiment_and_is_typed_the_same_again() {
        let typed = draft(vec![
            field(" routing.preset", "UD, UD_ITB"),
            field("seed", "1, 2,3"),
            field("measure", r#"{ "messages": 7, "warmup_messages": 2 }, {"messages":8}"#),
        ]);
        let document = typed.document(&welcome());
        let experiment = Experiment::parse(&document.to_string()).expect("it is an experiment");
        assert_eq!(experiment.points(), 12);
        assert_eq!(experiment.scenario(0).map(|scenario| scenario.measure.messages), Ok(7));
        let again = Draft::of(&experiment);
        assert_eq!(again.axes[0], field("routing.preset", "UD, UD_ITB"));
        assert_eq!(again.document(&welcome()), document);
    }

    #[test]
    fn a_draft_comes_back_from_its_link() {
        let stage = welcome();
        let own = Draft { base: Some(stage.to_document()), ..Draft::load_sweep(&stage, None) };
        let wrong = draft(vec![field("no.such.field", "")]);
        for draft in [Draft::load_sweep(&stage, None), own, wrong] {
            assert_eq!(Draft::from_link(&draft.to_link()).ok(), Some(draft));
        }
        assert!(Draft::from_link("{}").is_err());
    }

    #[test]
    fn a_sweep_of_the_load_moves_all_flows_together() {
        let mut scenario = welcome();
        let one = Draft::load_sweep(&scenario, None).document(&scenario);
        let one = Experiment::parse(&one.to_string()).expect("it is an experiment");
        assert_eq!(one.points(), STEPS);
        let load = |point| one.scenario(point).map(|scenario| scenario.traffic[0].load);
        assert_eq!((load(0), load(11)), (Ok(0.0095), Ok(0.1425)));
        scenario.traffic.push(scenario.traffic[0].clone());
        scenario.traffic[1].load = 0.01;
        let two = Draft::load_sweep(&scenario, Some(0.5)).document(&scenario);
        let two = Experiment::parse(&two.to_string()).expect("it is an experiment");
        let last = two.scenario(11).expect("it is valid");
        assert_eq!((last.traffic[0].load, last.traffic[1].load), (0.05462, 0.00575));
    }

    #[test]
    fn an_application_suggests_a_sweep_of_its_bytes_where_it_has_some() {
        let mut scenario = welcome();
        let first = |scenario: &Scenario| Draft::suggested(scenario, None).axes[0].clone();
        assert_eq!(Draft::suggested(&scenario, None), Draft::load_sweep(&scenario, None));
        crate::edit::application::choose(&mut scenario, Some(ApplicationKind::AllReduce), None);
        let bytes = "1024, 4096, 16384, 65536, 262144, 1048576";
        assert_eq!(first(&scenario), field("application.bytes", bytes));
        crate::edit::application::choose(&mut scenario, Some(ApplicationKind::Barrier), None);
        assert_eq!(first(&scenario), field("routing.preset", "UD"));
        crate::edit::application::open_trace(&mut scenario, "pair.goal", "num_ranks 2");
        assert_eq!(first(&scenario), field("routing.preset", "UD"));
        let known = fields(&scenario.to_document());
        assert!(known.iter().all(|(path, _)| path != "application.text"));
    }

    #[test]
    fn ranges_have_equal_steps_and_few_digits() {
        assert_eq!(range("0.01", "0.05", "5").as_deref(), Some("0.01, 0.02, 0.03, 0.04, 0.05"));
        assert_eq!(range("0,01", "0,02", "2").as_deref(), Some("0.01, 0.02"));
        assert_eq!(range("1", "1,000", "2"), None);
        assert_eq!(range("1", "4", "4").as_deref(), Some("1, 2, 3, 4"));
        assert_eq!(range("7", "9", "1").as_deref(), Some("7"));
        assert_eq!((range("a", "1", "2"), range("0", "1", "0")), (None, None));
    }

    #[test]
    fn fields_are_those_that_an_axis_can_set() {
        let scenario = welcome();
        let document = scenario.to_document();
        let found = fields(&document);
        let has = |path: &str| found.iter().any(|(field, _)| field == path);
        assert!(has("traffic.0.load") && has("routing.preset") && has("seed"));
        assert!(has("network.generate.switches") && !has("name") && !has("hopscope"));
        for (path, value) in &found {
            let mut changed = document.clone();
            Scenario::apply_set(&mut changed, &format!("{path}={value}")).expect(path);
            assert_eq!(Scenario::from_document(&changed), Ok(scenario.clone()), "{path}");
        }
    }

    #[test]
    fn problems_are_shown_at_their_axis() {
        let draft = draft(vec![field("traffic.0.load", "-1"), field("routing.prset", "UD")]);
        let at = |place: Place| {
            let mut problem = Problems::one(place, Default::default(), Default::default());
            draft.axis_of(&problem.0.remove(0))
        };
        let in_point = |path: &str| Place::Point(3, Box::new(path.into()));
        assert_eq!(at("axes.1.values.0".into()), Some(1));
        assert_eq!(at(in_point("traffic.0.load")), Some(0));
        assert_eq!(at(in_point("routing.prset")), Some(1));
        assert_eq!(at(in_point("traffic.0.loader")), None);
        assert_eq!(at(Place::Position(3, 4)), None);
    }
}
