//! A log being written: the samples as they come, then what holds for all of them. Knows nothing of what samples hold.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::identity::{file_name, id, time};
use super::sample::Sample;
use super::scores::{Tally, scorers};
use super::usage::{plus, usage};
use crate::agent::Usage;
use crate::export::sink::Sink;
use crate::export::{ExportError, Run};

/// A log being written.
pub struct Log {
    path: PathBuf,
    zip: ZipWriter<Sink>,
    spec: Map<String, Value>,
    agent: String,
    started: String,
    ended: String,
    summaries: Vec<Value>,
    floors: BTreeSet<String>,
    finished: usize,
    tally: Tally,
    usage: Usage,
    planned: usize,
}

impl Log {
    /// Begins the log of a configuration with the first of its samples, which is yet to be put into it.
    pub fn begin(run: &Run<'_>, first: &Sample, out: &Path) -> Result<Self, ExportError> {
        let config = &run.manifest.config;
        let key = &first.header.key;
        let created = time(&first.header.time.started, "");
        let task_id = id(&[&config.name, &config.seed.to_string(), &key.agent, &key.prompt]);
        let name = file_name(&created, &format!("{}-{}-{}", config.name, key.agent, key.prompt), &task_id);
        let path = out.join(name);
        let entries = run.manifest.episodes().into_iter();
        let planned: Vec<_> =
            entries.filter(|entry| (&entry.key.agent, &entry.key.prompt) == (&key.agent, &key.prompt)).collect();
        let epochs = planned.iter().map(|entry| u64::from(entry.key.repeat) + 1).max();
        Ok(Log {
            zip: ZipWriter::new(Sink::create(&path)?),
            path,
            spec: spec(run, first, &created, &task_id, epochs.unwrap_or(1)),
            agent: key.agent.clone(),
            started: created.clone(),
            ended: created,
            summaries: Vec::new(),
            floors: BTreeSet::new(),
            finished: 0,
            tally: Tally::default(),
            usage: Usage::default(),
            planned: planned.len(),
        })
    }

    /// Puts a sample into it.
    pub fn with(mut self, sample: Sample) -> Result<Self, ExportError> {
        let key = &sample.header.key;
        let name = format!("samples/{}_epoch_{}.json", key.floor, u64::from(key.repeat) + 1);
        self.put(&name, &sample.document)?;
        self.floors.insert(key.floor.clone());
        self.finished += usize::from(sample.finished);
        self.tally.add(sample.scores);
        self.usage = plus(&self.usage, &sample.usage);
        self.ended = std::mem::take(&mut self.ended).max(sample.ended);
        self.summaries.push(sample.summary);
        Ok(self)
    }

    /// Ends it; returns where it lies.
    pub fn end(mut self, run: &Run<'_>) -> Result<PathBuf, ExportError> {
        let floors: Vec<&str> = (run.manifest.floors.iter())
            .map(|floor| floor.name.as_str())
            .filter(|name| self.floors.contains(*name))
            .collect();
        self.spec.insert(
            "dataset".into(),
            json!({ "name": "floors", "samples": floors.len(), "sample_ids": floors, "shuffled": false }),
        );
        let plan = json!({ "name": "plan", "steps": [{ "solver": self.agent, "params": {}, "params_passed": {} }], "config": {} });
        let called = self.usage != Usage::default();
        let model_usage = if called { json!({ &self.agent: usage(&self.usage) }) } else { json!({}) };
        let done = self.finished == self.planned;
        let head = json!({
            "version": VERSION,
            // What is open goes on when the run does; nothing is wrong with it.
            "status": if done { "success" } else { "cancelled" },
            "eval": self.spec,
            "plan": plan,
            "results": {
                "total_samples": self.planned,
                "completed_samples": self.finished,
                "scores": self.tally.results(),
            },
            "stats": {
                "started_at": self.started,
                "completed_at": self.ended,
                "model_usage": model_usage,
                "role_usage": {},
            },
            "invalidated": false,
        });
        let start = json!({ "version": VERSION, "eval": self.spec, "plan": plan });
        let summaries = Value::Array(std::mem::take(&mut self.summaries));
        for (name, document) in
            [("_journal/start.json", &start), ("summaries.json", &summaries), ("header.json", &head)]
        {
            self.put(name, document.to_string().as_bytes())?;
        }
        let Log { path, zip, .. } = self;
        let sink = zip.finish().map_err(|error| ExportError::Write { path: path.clone(), source: error.into() })?;
        sink.finish()?;
        Ok(path)
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), ExportError> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        let begun = self.zip.start_file(name, options).map_err(std::io::Error::from);
        let written = begun.and_then(|()| self.zip.write_all(bytes));
        written.map_err(|source| ExportError::Write { path: self.path.clone(), source })
    }
}

/// Version of the package's log format.
const VERSION: u32 = 2;

/// What was evaluated, but for its floors.
fn spec(run: &Run<'_>, first: &Sample, created: &str, task_id: &str, epochs: u64) -> Map<String, Value> {
    let config = &run.manifest.config;
    let key = &first.header.key;
    let task = match key.prompt.as_str() {
        "none" => config.name.clone(),
        prompt => format!("{} {prompt}", config.name),
    };
    let agent = config.agents.get(first.agent).and_then(|agent| serde_json::to_value(agent).ok()).unwrap_or_default();
    let settings = ["temperature", "top_p", "max_tokens", "seed"].into_iter();
    let settings: Map<String, Value> =
        settings.filter_map(|name| Some((name.to_owned(), agent.get(name)?.clone()))).collect();
    let floors = run
        .manifest
        .floors
        .iter()
        .map(|floor| json!({ "name": floor.name, "hash": floor.hash, "optimum": floor.optimum }));
    let spec = json!({
        "eval_id": id(&[task_id, "eval"]),
        "run_id": id(&[&config.name, &config.seed.to_string(), "run"]),
        "created": created,
        "task": task,
        "task_id": task_id,
        "task_version": 0,
        "task_attribs": {},
        "task_args": { "agent": key.agent, "prompt": key.prompt },
        "task_args_passed": { "agent": key.agent, "prompt": key.prompt },
        "model": key.agent,
        "model_generate_config": settings,
        "model_args": {},
        "config": { "epochs": epochs },
        "packages": {},
        "scorers": scorers(),
        "metadata": {
            "mota": first.header.mota,
            "run": config.name,
            "agent": key.agent,
            "kind": agent.get("kind"),
            "model": agent.get("model"),
            "prompt": key.prompt,
            "prompt_hash": first.header.prompt_hash,
            "seed": config.seed,
            "items": config.items,
            "override": first.header.r#override,
            "floors": floors.collect::<Vec<_>>(),
        },
    });
    match spec {
        Value::Object(spec) => spec,
        _ => Map::new(),
    }
}
