//! What describes a batch: floors, prompts, agents, limits. Knows nothing of how it is read (`config_file`) or of what the
//! names stand for (`plan`).

use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::CallLimits;
use crate::agent::command::CommandConfig;
use crate::format::problem::quoted;
use crate::game::ItemMode;
use crate::model::{Budget, Endpoint};

/// A batch of episodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Name of the run and of its folder: letters, digits, `_`, `-` and `.`. The file's own name unless given.
    pub name: String,
    /// Every random choice derives from it.
    pub seed: u64,
    /// How often each agent that is not deterministic plays each floor under each prompt, at least 1.
    pub repeats: u32,
    /// Floor files; `*` and `?` match within a name, `**` matches folders. Relative to the configuration file.
    pub floors: Vec<String>,
    /// Prompts that model agents play under: built-in names, or files relative to the configuration file.
    pub prompts: Vec<String>,
    /// Whether items in reach are collected at once or by decisions of their own. Where an item can make a fight dearer
    /// (break armour, counter attack, purify, mimic, vampire), values by decisions of their own need far more memory, and
    /// on a floor as large as the complex one are not known.
    pub items: ItemMode,
    /// Whose route the prompt `solver_route` carries.
    pub route_source: RouteSource,
    /// Folder in which the answers of models are kept, relative to the configuration file. A request that was answered
    /// there before, for the same repeat, is not sent again. Nothing is kept unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<PathBuf>,
    /// Whether the losing decisions are sought after the batch.
    pub analysis: bool,
    /// Limits of one episode.
    pub limits: Limits,
    /// How much runs at once.
    pub concurrency: Concurrency,
    /// Who plays.
    #[serde(rename = "agent")]
    pub agents: Vec<AgentConfig>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            name: String::new(),
            seed: 0,
            repeats: 1,
            floors: Vec::new(),
            prompts: vec!["single_floor".into()],
            items: ItemMode::Auto,
            route_source: RouteSource::default(),
            cache: None,
            analysis: true,
            limits: Limits::default(),
            concurrency: Concurrency::default(),
            agents: Vec::new(),
        }
    }
}

/// A solver whose route a prompt can carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RouteSource {
    /// The published solver.
    #[default]
    Published,
    /// The exact one: the optimum's route.
    Exact,
}

/// Limits of one episode, and of the batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Decisions, at least 1.
    pub turns: u32,
    /// Tokens sent and answered, over all calls. A call that may pass the limit is not made, and the episode ends as
    /// aborted. No limit unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// US dollars, over all calls, likewise; no limit unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Time at work, waiting for servers that are not ready left aside: `90s`, `30m`, `2h`; no limit unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall: Option<Span>,
    /// Time waiting for servers that give no answer, over all calls; waiting for the agent's own limits is left aside. No
    /// limit unless given, beyond that of each call (`retry.total`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<Span>,
    /// Limits of the whole batch, over all its sittings.
    pub run: RunLimits,
}

/// Limits of the batch. A call that may pass one is not made; its episode stays open until the limit is raised.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RunLimits {
    /// Tokens sent and answered; no limit unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// US dollars; no limit unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { turns: 200, tokens: None, cost_usd: None, wall: None, wait: None, run: RunLimits::default() }
    }
}

impl Limits {
    /// What the calls of an episode may come to.
    pub fn of_calls(&self) -> CallLimits {
        let budget = Budget { tokens: self.tokens, cost_usd: self.cost_usd };
        CallLimits { budget, wait: self.wait.map(|most| most.0.as_secs_f64()) }
    }
}

/// How much runs at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Concurrency {
    /// Episodes, at least 1.
    pub episodes: usize,
}

impl Default for Concurrency {
    fn default() -> Self {
        Concurrency { episodes: 16 }
    }
}

/// A length of time, written with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Span(pub Duration);

impl TryFrom<String> for Span {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = || format!("{} is not a length of time such as 90s, 30m or 2h", quoted(&text));
        let unit = text.chars().last().ok_or_else(wrong)?;
        let scale = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            _ => return Err(wrong()),
        };
        let number: u64 = text[..text.len() - 1].trim().parse().map_err(|_| wrong())?;
        number.checked_mul(scale).map(|seconds| Span(Duration::from_secs(seconds))).ok_or_else(wrong)
    }
}

impl From<Span> for String {
    fn from(span: Span) -> String {
        format!("{}s", span.0.as_secs())
    }
}

/// One player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentConfig {
    /// Name in tables, traces and file names: letters, digits, `_`, `-` and `.`.
    pub name: String,
    /// Whether lethal choices are replaced by the heuristic's. Reference agents play without unless told; models as
    /// their prompt says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#override: Option<bool>,
    /// Milliseconds to wait before each decision; for trying out interruptions and progress.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub delay_ms: u64,
    /// What it is.
    #[serde(flatten)]
    pub kind: AgentKind,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// What a player is, with its own settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AgentKind {
    /// Any legal action, each as likely.
    Random,
    /// The least damage now.
    Greedy,
    /// The rule of the mechanical override.
    Heuristic,
    /// The heuristic's score over the best line of a few decisions.
    Lookahead(LookaheadConfig),
    /// Follows the exact state values.
    Optimal,
    /// The route of the published solver.
    PublishedRoute,
    /// The decisions of a stored trace.
    Replay(ReplayConfig),
    /// A human, who plays with `mota play` and not in a batch.
    Human,
    /// A program that reads observations and answers with actions.
    Command(CommandConfig),
    /// A model behind an OpenAI-compatible endpoint.
    Model(Box<Endpoint>),
}

/// Names of the kinds, as the file writes them.
pub const KINDS: [&str; 10] =
    ["random", "greedy", "heuristic", "lookahead", "optimal", "published_route", "replay", "human", "command", "model"];

/// Whether a name can stand in file names: 1 to 80 of a to z, A to Z, 0 to 9, `_`, `-` and `.`, not `.` first.
pub fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    !name.is_empty() && name.len() <= 80 && name.chars().all(plain) && !name.starts_with('.')
}

impl AgentKind {
    /// Whether it reads a prompt.
    pub fn reads_prompts(&self) -> bool {
        matches!(self, AgentKind::Model(_))
    }

    /// Whether it plays the same episode every time, so that repeats would say nothing.
    pub fn is_deterministic(&self) -> bool {
        !matches!(self, AgentKind::Random | AgentKind::Human | AgentKind::Command(_) | AgentKind::Model(_))
    }
}

/// Settings of `lookahead`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LookaheadConfig {
    /// Decisions looked ahead, 1 to 6.
    pub depth: u32,
}

impl Default for LookaheadConfig {
    fn default() -> Self {
        LookaheadConfig { depth: 3 }
    }
}

/// Settings of `replay`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayConfig {
    /// The trace, relative to the configuration file.
    pub trace: PathBuf,
}
