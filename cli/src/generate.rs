//! `hopscope generate`: a network from a few numbers. One subcommand per generator, made from its
//! descriptor.

use crate::list::meaning;
use crate::messages;
use crate::outcome::{Outcome, Result, end_with, print_contents};
use clap::{Arg, ArgAction, ArgMatches, Command};
use hopscope_core::catalogue::{Descriptor, Kind};
use hopscope_core::network::generators::{self, GeneratorSpec};
use hopscope_core::problem::Problems;
use hopscope_core::scenario::{NetworkSpec, Scenario, explain_json};
use serde_json::{Value, json};
use std::ffi::OsString;

#[derive(clap::Args)]
pub struct Arguments {
    /// Kind of network and its parameters; `hopscope generate --help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

pub fn run(arguments: &Arguments) -> Result {
    let name = OsString::from("hopscope generate");
    let words = std::iter::once(&name).chain(&arguments.rest);
    let matches = command().try_get_matches_from(words).unwrap_or_else(|told| end_with(&told));
    let (kind, chosen) = matches.subcommand().expect("clap wants a subcommand");
    let descriptor = generators::all().iter().find(|d| d.id == kind).expect("clap knows the kinds");
    let generator = generator(descriptor, chosen)?;
    let network = generator.generate()?;
    network.build()?;
    let network = if chosen.get_flag("parameters") {
        NetworkSpec::Generate(generator)
    } else {
        NetworkSpec::Drawn(network)
    };
    let name = chosen.get_one::<String>("name").cloned().unwrap_or_else(|| descriptor.name.into());
    print_contents(&Scenario { name, ..Scenario::of(network) }.to_json());
    Ok(Outcome::Done)
}

fn command() -> Command {
    let kinds = generators::all().iter().map(|descriptor| {
        let parameters = descriptor.parameters.iter().map(|parameter| {
            let option = parameter.id.replace('_', "-");
            let arg = Arg::new(parameter.id).long(option).help(meaning(parameter));
            let arg = if parameter.id.contains('_') { arg.alias(parameter.id) } else { arg };
            match parameter.kind {
                Kind::Integers { .. } => arg.value_name("N,N,..."),
                _ => arg.value_name("N"),
            }
        });
        Command::new(descriptor.id)
            .about(descriptor.summary)
            .args(parameters)
            .arg(Arg::new("name").long("name").help("title of the scenario"))
            .arg(
                Arg::new("parameters")
                    .long("parameters")
                    .action(ArgAction::SetTrue)
                    .help("write the generator and its parameters instead of the network it makes"),
            )
    });
    Command::new("hopscope generate")
        .about("Make a network and print it as a scenario")
        .max_term_width(110)
        .subcommand_required(true)
        .subcommand_value_name("KIND")
        .subcommand_help_heading("Kinds")
        .subcommands(kinds)
}

/// The generator with the parameters given.
fn generator(descriptor: &Descriptor, chosen: &ArgMatches) -> Result<GeneratorSpec> {
    let mut problems = Problems::default();
    let mut document = json!({ "kind": descriptor.id });
    for parameter in descriptor.parameters {
        let Some(text) = chosen.get_one::<String>(parameter.id) else { continue };
        let number = |word: &str| word.trim().parse::<u64>().map(Value::from);
        let value = match parameter.kind {
            Kind::Integers { .. } => text
                .split([',', 'x'])
                .map(number)
                .collect::<std::result::Result<Vec<_>, _>>()
                .map(Value::from),
            _ => number(text),
        };
        match value {
            Ok(value) => document[parameter.id] = value,
            Err(error) => problems.add(
                format!("--{}", parameter.id.replace('_', "-")),
                messages::not_a_number(text, error.to_string()),
                messages::parameter_meaning(meaning(parameter)),
            ),
        }
    }
    problems.or(())?;
    serde_json::from_value(document).map_err(|error| {
        let (why, fix) = explain_json(&error);
        Problems::one("generate", why, fix)
    })
}
