//! Any program as a player: it reads observations and writes actions, a JSON line each. Knows nothing of what the
//! program is.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::model::CallTime;
use crate::prompt::answer::{self, Answer, Parsed, Verdict};
use crate::prompt::escape::readable;
use crate::prompt::{Message, OnInvalid, Role, Wanted};

use super::stand_in::{Heuristic, StandIn};
use super::{Agent, AgentError, Call, CallLog, Choice, ChosenBy, View};

/// A program that plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CommandConfig {
    /// The program and its arguments; no shell is involved.
    pub command: Vec<String>,
    /// Variables that are set in its environment beside the harness's own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Seconds that an answer may take, above 0.
    pub timeout: f64,
    /// How often an answer that cannot be used is asked again.
    pub reasks: u32,
    /// What happens when they are used up.
    pub on_invalid: OnInvalid,
}

impl Default for CommandConfig {
    fn default() -> Self {
        CommandConfig {
            command: Vec::new(),
            env: BTreeMap::new(),
            timeout: 60.0,
            reasks: 2,
            on_invalid: OnInvalid::default(),
        }
    }
}

impl CommandConfig {
    /// Everything that is wrong with the options, each with the option's name.
    pub fn check(&self) -> Vec<String> {
        let named = self.command.first().is_some_and(|program| !program.is_empty());
        [
            (named, "command: names no program; write it as a list, such as [\"python3\", \"agent.py\"]"),
            (self.timeout > 0.0 && self.timeout <= 86_400.0, "timeout: must be above 0 and at most 86400 seconds"),
            (self.reasks <= 20, "reasks: must be at most 20"),
        ]
        .into_iter()
        .filter(|(holds, _)| !holds)
        .map(|(_, reason)| reason.to_owned())
        .collect()
    }
}

/// Plays by asking a program, one process an episode.
///
/// For each decision it writes the [`Observation`](crate::prompt::Observation) as one line of JSON to the program's
/// standard input and reads one line from its standard output: `{"action": 3}`, `{"target": {"x": 8, "y": 7}}`, or
/// `3`. If that cannot be used, it writes `{"error": "…", "reasks_left": 1}` and reads again. What the program writes
/// to standard error goes to the log.
///
/// The process is started at the first decision and killed with the agent. When an interrupted run goes on it is
/// started afresh in the middle of an episode: each observation says everything, the decisions made so far included.
pub struct CommandAgent {
    name: String,
    config: CommandConfig,
    stand_in: StandIn,
    process: Option<Process>,
}

impl CommandAgent {
    /// A player for one episode; `name` is what the log calls it.
    pub fn new(name: &str, config: CommandConfig, heuristic: Heuristic) -> Self {
        let stand_in = StandIn { on_invalid: config.on_invalid, heuristic };
        CommandAgent { name: name.to_owned(), config, stand_in, process: None }
    }

    /// Writes a line and reads one, within the time for an answer. Whatever fails, the process is ended: a late
    /// answer must not be taken for that to the next question.
    async fn ask(&mut self, line: &str) -> Result<Line, AgentError> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => Process::start(&self.name, &self.config)?,
        };
        let limit = Duration::from_secs_f64(self.config.timeout.clamp(0.0, 86_400.0));
        match tokio::time::timeout(limit, process.exchange(line)).await {
            Ok(Ok(answer)) => {
                self.process = Some(process);
                Ok(answer)
            }
            Ok(Err(error)) => Err(AgentError::Episode(process.obituary(&error).await)),
            Err(_) => Err(AgentError::Episode(format!("the command gave no answer within {} s", self.config.timeout))),
        }
    }
}

#[async_trait]
impl Agent for CommandAgent {
    async fn choose(&mut self, view: &View<'_>, calls: &mut dyn CallLog) -> Result<Choice, AgentError> {
        let observation = serde_json::to_string(&view.observation()?)
            .map_err(|error| AgentError::Episode(format!("the observation cannot be written: {error}")))?;
        // An interrupted turn goes on where it was: answers that came are used, or count as asked.
        let done: Vec<&Call> = (view.calls.iter())
            .filter(|call| call.turn == view.turn() && call.verdict != Verdict::TransportError)
            .collect();
        if let Some(number) = done.iter().filter(|call| call.verdict == Verdict::Ok).find_map(|call| call.number) {
            return Ok(Choice { number, by: ChosenBy::Agent });
        }
        let mut line = observation;
        let mut complaint = done.last().and_then(|call| call.complaint.clone()).unwrap_or_default();
        for reask in done.len() as u32..=self.config.reasks {
            let began = Instant::now();
            let mut time = CallTime { started: format!("{:.3}", Timestamp::now()), ..CallTime::default() };
            let answered = self.ask(&line).await;
            time.working_s = began.elapsed().as_millis() as f64 / 1e3;
            let call = |content, parsed: Parsed| Call {
                turn: view.turn(),
                reask,
                messages: vec![Message::new(Role::User, line.as_str())],
                content,
                verdict: parsed.verdict,
                number: parsed.number,
                complaint: parsed.complaint,
                time,
                ..Call::default()
            };
            let content = match answered {
                Ok(content) => content,
                Err(error) => {
                    let complaint = Some(error.to_string());
                    calls.record(call(None, Parsed::wrong(Verdict::TransportError, complaint))).await?;
                    return Err(error);
                }
            };
            let Line { text: content, alone } = content;
            let parsed = match alone {
                true => answer::parse(
                    &Answer { content: Some(content.clone()), ..Answer::default() },
                    view.actions,
                    Wanted::default(),
                ),
                false => {
                    let complaint = "More than one line was written; answer each line that you read with one line.";
                    Parsed::wrong(Verdict::Unparsable, Some(complaint.into()))
                }
            };
            calls.record(call(Some(content), parsed.clone())).await?;
            if let Some(number) = parsed.number {
                return Ok(Choice { number, by: ChosenBy::Agent });
            }
            complaint = parsed.complaint.unwrap_or_default();
            let left = self.config.reasks - reask;
            line = serde_json::json!({ "error": complaint, "reasks_left": left.saturating_sub(1) }).to_string();
        }
        self.stand_in.choose(view, self.config.reasks + 1, &complaint)
    }
}

/// Bytes that a line of the program's may have.
const LONGEST_LINE: usize = 1 << 20;

/// A line that a program wrote.
struct Line {
    text: String,
    /// Whether nothing more had come with it.
    alone: bool,
}

/// A running program. It is killed when this is dropped.
struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Process {
    fn start(name: &str, config: &CommandConfig) -> Result<Self, AgentError> {
        let Some((program, arguments)) = config.command.split_first() else {
            return Err(AgentError::Agent("command: names no program".into()));
        };
        let failed = |reason: String| AgentError::Agent(format!("`{program}` cannot be started: {reason}"));
        let mut child = Command::new(program)
            .args(arguments)
            .envs(&config.env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("it has no standard input and output".into()));
        };
        if let Some(stderr) = child.stderr.take() {
            let name = name.to_owned();
            tokio::spawn(async move {
                let mut lines = BufReader::new(stderr);
                while let Ok(line) = read_line(&mut lines).await {
                    tracing::info!(agent = name, "{line}");
                }
            });
        }
        Ok(Process { child, stdin, stdout: BufReader::new(stdout) })
    }

    async fn exchange(&mut self, line: &str) -> std::io::Result<Line> {
        self.discard_unread().await?;
        self.stdin.write_all(line.as_bytes()).await?;
        self.stdin.write_all(b"\n").await?;
        self.stdin.flush().await?;
        let text = read_line(&mut self.stdout).await?;
        Ok(Line { text, alone: self.stdout.buffer().is_empty() })
    }

    /// Throws away what was written unasked: it must not pass for the answer to the next line.
    async fn discard_unread(&mut self) -> std::io::Result<()> {
        loop {
            match tokio::time::timeout(Duration::ZERO, self.stdout.fill_buf()).await {
                Ok(Ok(unread)) if !unread.is_empty() => {
                    let unread = unread.len();
                    tracing::warn!("a command wrote {unread} bytes unasked; they are not used");
                    self.stdout.consume(unread);
                }
                Ok(Err(error)) => return Err(error),
                _ => return Ok(()),
            }
        }
    }

    /// What became of a program that cannot be talked to any more.
    async fn obituary(mut self, error: &std::io::Error) -> String {
        let moment = Duration::from_secs(1);
        match tokio::time::timeout(moment, self.child.wait()).await {
            Ok(Ok(status)) => {
                format!("the command ended without an answer ({status}); its standard error is in the log")
            }
            _ => format!("the command cannot be talked to: {error}"),
        }
    }
}

/// One line without its end.
async fn read_line(from: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<String> {
    let mut line = Vec::new();
    loop {
        let available = from.fill_buf().await?;
        if available.is_empty() {
            return match line.is_empty() {
                true => Err(std::io::ErrorKind::UnexpectedEof.into()),
                false => Ok(readable(&line)),
            };
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let (take, used) = end.map_or((available.len(), available.len()), |end| (end, end + 1));
        if line.len() + take > LONGEST_LINE {
            return Err(std::io::Error::other(format!("a line has more than {LONGEST_LINE} bytes")));
        }
        line.extend_from_slice(&available[..take]);
        from.consume(used);
        if end.is_some() {
            return Ok(readable(&line));
        }
    }
}
