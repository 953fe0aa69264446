//! An episode as a sample of a log, and the summary of it that lists show. Knows nothing of the log's other samples.

use serde_json::{Map, Value, json};

use super::identity::{id, time};
use super::scores;
use super::transcript::{self, Transcript};
use super::usage::{plus, usage};
use crate::agent::Usage;
use crate::analysis::EpisodeAnalysis;
use crate::analysis::keys::Bracket;
use crate::analysis::walk::Judged;
use crate::eval::trace::Trace;
use crate::eval::{Ending, Header};
use crate::export::Run;
use crate::prompt::Observation;
use crate::prompt::grid::grid;

/// A sample, ready to be put into its log.
pub struct Sample {
    /// Agent and prompt, which a log has one of.
    pub configuration: String,
    /// The header of the episode's trace.
    pub header: Header,
    /// The agent's place in the run's configuration.
    pub agent: usize,
    /// Its document.
    pub document: Vec<u8>,
    /// Its summary.
    pub summary: Value,
    /// What it scored, by [`scores::NAMES`].
    pub scores: [Option<i64>; 4],
    /// What its calls used.
    pub usage: Usage,
    /// When it ended, or was last heard of.
    pub ended: String,
    /// Whether it is finished.
    pub finished: bool,
}

impl Sample {
    /// The sample of an episode.
    pub fn of(run: &Run<'_>, judged: &Judged<'_>) -> Self {
        let Judged { trace, analysis, .. } = judged;
        let header = &trace.header;
        let Transcript { messages, mut events, output, calls } = transcript::of(trace, analysis, &header.key.agent);
        let used = trace.calls.iter().fold(Usage::default(), |sum, call| plus(&sum, &call.usage));
        let ended = ended(trace);
        let scored = scores::of_sample(analysis);
        events.extend(score_events(header, &scored, &ended));

        let mut common = Map::new();
        let mut put = |name: &str, value: Value| common.insert(name.to_owned(), value);
        put("id", header.key.floor.as_str().into());
        put("epoch", (u64::from(header.key.repeat) + 1).into());
        put("target", analysis.optimum.hp().map_or(String::new(), |optimum| optimum.to_string()).into());
        put("metadata", metadata(run, trace, analysis));
        put("scores", scored.into());
        put("model_usage", if calls == 0 { json!({}) } else { json!({ &header.key.agent: usage(&used) }) });
        put("started_at", time(&header.time.started, "").into());
        put("completed_at", ended.as_str().into());
        if let Some(footer) = &trace.footer {
            put("total_time", (footer.time.working_s + footer.time.waiting_s.max(0.0)).into());
            put("working_time", footer.time.working_s.into());
        }
        put("uuid", id(&[&header.id, "sample"]).into());
        put("turn_count", calls.into());

        let input = input(judged);
        let mut document = common.clone();
        document.insert("input".into(), input.clone().into());
        document.insert("messages".into(), messages.clone().into());
        document.insert("output".into(), output);
        document.insert("events".into(), events.into());
        document.insert("store".into(), json!({}));
        document.insert("attachments".into(), json!({}));
        let mut summary = common;
        summary.insert("input".into(), input.chars().take(SHOWN).collect::<String>().into());
        summary.insert("completed".into(), true.into());
        summary.insert("message_count".into(), messages.len().into());
        match stopped(analysis) {
            Some(Stopped::Limit { kind, limit, reason }) => {
                document.insert("limit".into(), json!({ "type": kind, "limit": limit, "reason": reason }));
                summary.insert("limit".into(), kind.into());
                summary.insert("limit_reason".into(), reason.into());
            }
            Some(Stopped::Error(why)) => {
                document.insert("error".into(), json!({ "message": why, "traceback": why, "traceback_ansi": why }));
                summary.insert("error".into(), why.into());
            }
            None => {}
        }
        Sample {
            configuration: header.key.configuration(),
            header: header.clone(),
            agent: judged.entry.agent,
            // Objects of strings and numbers can always be written.
            document: serde_json::to_vec(&document).unwrap_or_default(),
            summary: summary.into(),
            scores: scores::of(analysis),
            usage: used,
            ended,
            finished: analysis.ending.is_some(),
        }
    }
}

/// Characters of its input that a summary shows.
const SHOWN: usize = 1_000;

/// The floor as it is seen at first.
fn input(judged: &Judged<'_>) -> String {
    let title = &judged.analysis.floor_title;
    let Ok(seen) = Observation::of(&judged.floor.game, &judged.floor.start, None, &[]) else { return title.clone() };
    let floors = seen.floors.iter().map(|floor| match floor.name.as_str() {
        "" => format!("```\n{}\n```", grid(&floor.rows)),
        name => format!("{name}\n```\n{}\n```", grid(&floor.rows)),
    });
    format!("{title}\n\n{}", floors.collect::<Vec<_>>().join("\n\n"))
}

/// What is ours.
fn metadata(run: &Run<'_>, trace: &Trace, analysis: &EpisodeAnalysis) -> Value {
    let header = &trace.header;
    let mut metadata = json!({
        "run": run.manifest.config.name,
        "episode": header.id,
        "floor_title": analysis.floor_title,
        "floor_note": analysis.floor_note,
        "floor_hash": header.floor_hash,
        "optimum": analysis.optimum.hp(),
        "values_unknown": analysis.values_unknown,
        "ending": analysis.ending,
        "ending_reason": analysis.reason,
        "hero": analysis.hero,
        "turns": trace.decisions.len(),
        "overrides": analysis.overrides(),
        "verdicts": analysis.verdicts,
        "losing": analysis.losing,
    });
    if let Some(bracket) = Bracket::of(analysis.optimum) {
        metadata["optimum_bracket"] = json!(bracket);
    }
    if let Some(between) = &analysis.losing_between {
        metadata["losing_between"] = json!(between);
    }
    metadata
}

fn score_events(header: &Header, scored: &Map<String, Value>, at: &str) -> Vec<Value> {
    let event = |(name, score): (&String, &Value)| {
        json!({
            "event": "score",
            "score": score,
            "scorer": name,
            "uuid": id(&[&header.id, "score", name]),
            "timestamp": at,
            "working_start": 0.0,
        })
    };
    scored.iter().map(event).collect()
}

/// When an episode ended, or was last heard of.
fn ended(trace: &Trace) -> String {
    let started = &trace.header.time.started;
    let last = trace.decisions.last().map_or(started, |decision| &decision.time.at);
    time(trace.footer.as_ref().map_or(last, |footer| &footer.time.ended), started)
}

/// What ended an episode from outside.
enum Stopped {
    Limit { kind: &'static str, limit: f64, reason: String },
    Error(String),
}

fn stopped(analysis: &EpisodeAnalysis) -> Option<Stopped> {
    let reason = || analysis.reason.clone().unwrap_or_else(|| "no reason was written down".into());
    match analysis.ending {
        None => Some(Stopped::Error("the episode is not finished".into())),
        Some(Ending::Won | Ending::Dead | Ending::Stuck) => None,
        Some(Ending::TurnLimit) => {
            let limit = analysis.decisions.len() as f64;
            Some(Stopped::Limit { kind: "turn", limit, reason: reason() })
        }
        Some(Ending::Aborted) => Some(limit(&reason()).unwrap_or_else(|| Stopped::Error(reason()))),
    }
}

/// The limit that a reason names: `the limit of 400000 tokens: 400123 used`.
fn limit(reason: &str) -> Option<Stopped> {
    let (number, unit) = reason.strip_prefix("the limit of ")?.split_once(' ')?;
    let kind = match unit {
        _ if unit.starts_with("tokens") => "token",
        _ if unit.starts_with("USD") => "cost",
        "s at work" => "working",
        _ if unit.starts_with("s ") => "time",
        _ => "custom",
    };
    Some(Stopped::Limit { kind, limit: number.parse().ok()?, reason: reason.to_owned() })
}
