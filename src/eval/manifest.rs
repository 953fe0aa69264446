//! What `manifest.json` of a run holds, and what keeps a configuration from going on with a run that it describes. Knows
//! nothing of files.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::config::{AgentConfig, Config, RouteSource};
use super::plan::{self, Entry, Plan};
use crate::prompt::RouteUse;

/// Version of the folder's layout. 2 has humans among the agents.
pub const FORMAT: u32 = 2;
/// What a run is written as in which no human plays: older programs read it.
const WITHOUT_HUMANS: u32 = 1;

/// What `manifest.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// Version of the folder's layout.
    pub format: u32,
    /// Version of the program that wrote it last.
    pub mota: String,
    /// The configuration, with every default filled in.
    pub config: Config,
    /// The floors.
    pub floors: Vec<FloorEntry>,
    /// The prompts.
    pub prompts: Vec<PromptEntry>,
    /// How many episodes the batch has.
    pub episodes: usize,
}

/// A floor of a run; its text is kept in `floors/NAME.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FloorEntry {
    /// Its name.
    pub name: String,
    /// SHA-256 of its native form, in hexadecimal.
    pub hash: String,
    /// Final HP under best play; none if not known.
    pub optimum: Option<i64>,
}

/// A prompt of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptEntry {
    /// Its name.
    pub name: String,
    /// First 12 digits of the SHA-256 of its text.
    pub hash: String,
    /// Whether it carries the route of the solver that the configuration names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub carries_solver_route: bool,
}

impl Manifest {
    /// What describes a plan.
    pub fn of(plan: &Plan) -> Self {
        Manifest {
            format: WITHOUT_HUMANS,
            mota: env!("CARGO_PKG_VERSION").into(),
            config: plan.config.clone(),
            floors: (plan.floors.iter())
                .map(|floor| FloorEntry {
                    name: floor.name().to_owned(),
                    hash: floor.hash.clone(),
                    optimum: floor.optimum().ok().flatten(),
                })
                .collect(),
            prompts: (plan.prompts.iter())
                .map(|prompt| PromptEntry {
                    name: prompt.name.clone(),
                    hash: prompt.hash().to_owned(),
                    carries_solver_route: prompt.route == RouteUse::Solver,
                })
                .collect(),
            episodes: plan.episodes.len(),
        }
    }

    /// The episodes of the run, in the order of its plan.
    pub fn episodes(&self) -> Vec<Entry> {
        let floors: Vec<(&str, &str)> =
            self.floors.iter().map(|floor| (floor.name.as_str(), floor.hash.as_str())).collect();
        let prompts: Vec<&str> = self.prompts.iter().map(|prompt| prompt.name.as_str()).collect();
        plan::lay_out(&self.config, &floors, &prompts)
    }
}

/// What keeps a run from being gone on with as another manifest describes it, a line each. Limits, concurrency, delays, more repeats and added
/// agents, floors and prompts are taken up.
pub fn differences(known: &Manifest, after: &Manifest) -> Vec<String> {
    let mut found = Vec::new();
    let now = &after.config;
    let mut compare = |what: &str, before: String, after: String| {
        if before != after {
            found.push(format!("{what}: {before} before, {after} now"));
        }
    };
    compare("name", known.config.name.clone(), now.name.clone());
    compare("seed", known.config.seed.to_string(), now.seed.to_string());
    if known.prompts.iter().any(|prompt| prompt.carries_solver_route) {
        let name = |source: RouteSource| format!("{source:?}").to_lowercase();
        compare("route_source", name(known.config.route_source), name(now.route_source));
    }
    compare("items", format!("{:?}", known.config.items).to_lowercase(), format!("{:?}", now.items).to_lowercase());
    for floor in &known.floors {
        let after = after.floors.iter().find(|after| after.name == floor.name);
        compare(
            &format!("floor `{}`", floor.name),
            short(&floor.hash),
            after.map_or("not in the batch".into(), |after| short(&after.hash)),
        );
    }
    for prompt in &known.prompts {
        let after = after.prompts.iter().find(|after| after.name == prompt.name);
        compare(
            &format!("prompt `{}`", prompt.name),
            short(&prompt.hash),
            after.map_or("not in the batch".into(), |after| short(&after.hash)),
        );
    }
    if now.repeats < known.config.repeats {
        compare("repeats", known.config.repeats.to_string(), now.repeats.to_string());
    }
    for agent in &known.config.agents {
        match now.agents.iter().find(|after| after.name == agent.name) {
            None => found.push(format!("agent `{}`: no longer in the batch", agent.name)),
            Some(after) => found.extend(agent_differences(agent, after)),
        }
    }
    found
}

/// What would make one row of a table of two runs mean two things, in words: an episode that both hold, a floor or a
/// prompt of one name and two contents, an agent of one name and two settings.
pub fn clash(one: &Manifest, other: &Manifest) -> Option<String> {
    let share_a_floor = one.floors.iter().any(|floor| other.floors.iter().any(|known| known.name == floor.name));
    if share_a_floor && one.config.items != other.config.items {
        return Some("they collect items differently (`items`), which makes other games of the same floors".into());
    }
    for floor in &one.floors {
        if other.floors.iter().any(|known| known.name == floor.name && known.hash != floor.hash) {
            return Some(format!("their floors named `{}` differ", floor.name));
        }
    }
    for prompt in &one.prompts {
        if other.prompts.iter().any(|known| known.name == prompt.name && known.hash != prompt.hash) {
            return Some(format!("their prompts named `{}` differ", prompt.name));
        }
    }
    let carries = |manifest: &Manifest| manifest.prompts.iter().any(|prompt| prompt.carries_solver_route);
    if carries(one) && carries(other) && one.config.route_source != other.config.route_source {
        return Some("their route_source differs".into());
    }
    for agent in &one.config.agents {
        let same_name = other.config.agents.iter().find(|known| known.name == agent.name);
        if let Some(difference) = same_name.and_then(|known| agent_differences(agent, known).into_iter().next()) {
            return Some(difference.replace(" before, ", " in the one, ").replace(" now", " in the other"));
        }
    }
    let held: BTreeSet<String> = one.episodes().into_iter().map(|entry| entry.id).collect();
    let both = other.episodes().into_iter().find(|entry| held.contains(&entry.id))?;
    Some(format!("both hold the episode {}", both.id))
}

/// What changes what an agent plays, a line each; rates, waits and prices do not.
fn agent_differences(before: &AgentConfig, after: &AgentConfig) -> Vec<String> {
    const TAKEN_UP: [&str; 8] = [
        "delay_ms",
        "timeout",
        "retry",
        "price",
        "api_key_env",
        "requests_per_minute",
        "tokens_per_minute",
        "concurrent_calls",
    ];
    let (Ok(Value::Object(before_keys)), Ok(Value::Object(after_keys))) =
        (serde_json::to_value(before), serde_json::to_value(after))
    else {
        return Vec::new();
    };
    let names: BTreeSet<&String> = before_keys.keys().chain(after_keys.keys()).collect();
    let show = |value: Option<&Value>| value.map_or("not set".into(), ToString::to_string);
    (names.into_iter())
        .filter(|name| !TAKEN_UP.contains(&name.as_str()) && before_keys.get(*name) != after_keys.get(*name))
        .map(|name| {
            let (before_value, after_value) = (show(before_keys.get(name)), show(after_keys.get(name)));
            format!("agent `{}`, {name}: {before_value} before, {after_value} now", before.name)
        })
        .collect()
}

fn short(hash: &str) -> String {
    hash.chars().take(8).collect()
}
