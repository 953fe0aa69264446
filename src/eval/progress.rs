//! How a run is shown while it goes on: bars on a terminal, a line every few seconds elsewhere. Reads events only.

use std::time::{Duration, Instant};

use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::dispatcher::{Reporter, Standing};
use super::event::Event;
use super::plan::Plan;
use super::record::Ending;
use super::waits::Waits;
use crate::agent::Verdict;
use crate::model::Spending;

/// Bars beyond this number would not fit on a screen; only the bar of the whole is then shown.
const MOST_BARS: usize = 20;
/// Seconds between lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Name of the bar of the whole.
const WHOLE: &str = "all";

/// Shows a run on standard error.
pub struct Progress {
    whole: Bar,
    /// What is in flight and what waits, on a line of its own: a narrow screen cuts long ones.
    state: ProgressBar,
    configurations: Vec<Bar>,
    configuration_of: Vec<usize>,
    /// Calls that servers are answering.
    in_flight: usize,
    waits: Waits,
    /// How many workers elsewhere play, if the run is not played here.
    workers: Option<usize>,
    lines: Option<Instant>,
    bars: MultiProgress,
}

/// Counts of one bar.
struct Bar {
    name: String,
    bar: ProgressBar,
    planned: usize,
    ended: usize,
    won: usize,
    decisions: usize,
    invalid: usize,
    /// Answers from the response cache.
    kept: usize,
    spent: Spending,
}

impl Progress {
    /// Shows the episodes of a plan that are to be played; `terminal` chooses between bars and lines.
    pub fn new(plan: &Plan, agenda: &[Standing], terminal: bool) -> Self {
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bars = MultiProgress::with_draw_target(target);
        let mut configurations: Vec<Bar> = Vec::new();
        let mut configuration_of = Vec::new();
        for (entry, standing) in plan.episodes.iter().zip(agenda) {
            let name = entry.key.configuration();
            let index = configurations.iter().position(|bar| bar.name == name).unwrap_or_else(|| {
                configurations.push(Bar::new(name));
                configurations.len() - 1
            });
            configurations[index].planned += usize::from(is_played(standing));
            configuration_of.push(index);
        }
        let mut whole = Bar::new(WHOLE.into());
        whole.planned = agenda.iter().filter(|standing| is_played(standing)).count();
        let shown = configurations.len() <= MOST_BARS;
        let width = configurations.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0).clamp(3, 40);
        for bar in configurations.iter_mut().filter(|_| shown).chain([&mut whole]) {
            bar.bar = bars.add(ProgressBar::new(bar.planned as u64));
            bar.bar.set_style(style(width));
            bar.bar.set_prefix(bar.name.clone());
            bar.update();
        }
        let state = bars.add(ProgressBar::new_spinner());
        state.set_style(ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar()));
        let lines = (!terminal).then(Instant::now);
        Progress {
            whole,
            state,
            configurations,
            configuration_of,
            in_flight: 0,
            waits: Waits::default(),
            workers: None,
            lines,
            bars,
        }
    }

    /// Takes the bars off the screen.
    pub fn finish(&mut self) {
        (self.in_flight, self.waits, self.workers) = (0, Waits::default(), None);
        let _ = self.bars.clear();
        if self.lines.is_some() && self.whole.planned > 0 {
            eprintln!("{}", self.line());
        }
    }

    /// Prints a line above the bars, or as it is where there are none.
    pub fn say(&self, line: &str) {
        if self.lines.is_some() {
            eprintln!("{line}");
        } else {
            let _ = self.bars.println(line);
        }
    }

    fn count(&mut self, episode: usize, change: impl Fn(&mut Bar)) {
        change(&mut self.whole);
        if let Some(bar) = self.configuration_of.get(episode).and_then(|index| self.configurations.get_mut(*index)) {
            change(bar);
            bar.update();
        }
        self.whole.update();
    }

    fn tell_state(&self) {
        let waits = calls_in_words(self.in_flight, &self.waits, Instant::now());
        let parts: Vec<String> = self.whole.left().into_iter().chain(self.workers_in_words()).chain(waits).collect();
        self.state.set_message(parts.join(", "));
    }

    fn workers_in_words(&self) -> Option<String> {
        Some(match self.workers? {
            0 => "no worker is there".into(),
            1 => "1 worker".into(),
            count => format!("{count} workers"),
        })
    }

    fn line(&self) -> String {
        let bar = &self.whole;
        let waits = calls_in_words(self.in_flight, &self.waits, Instant::now());
        let state: Vec<String> = self.workers_in_words().into_iter().chain(waits).collect();
        let waits = if state.is_empty() { String::new() } else { format!("; {}", state.join(", ")) };
        format!("{} of {} episodes ended, {}{waits}", bar.ended, bar.planned, bar.counts())
    }
}

impl Reporter for Progress {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Started { episode, turns, torn } => {
                if *torn > 0 {
                    self.say(&format!(
                        "episode {}: a torn last line of {torn} bytes was cut off; it goes on after decision {turns}",
                        episode + 1
                    ));
                }
            }
            Event::Called { episode, verdict, usage, from_cache } => self.count(*episode, |bar| {
                bar.invalid += usize::from(*verdict != Verdict::Ok);
                bar.kept += usize::from(*from_cache);
                if !from_cache {
                    bar.spent += Spending::from(usage);
                }
            }),
            Event::Decided { episode } => self.count(*episode, |bar| bar.decisions += 1),
            Event::Finished { episode, ending } => self.count(*episode, |bar| {
                bar.ended += 1;
                bar.won += usize::from(*ending == Ending::Won);
            }),
            Event::Waiting { agent, why, seconds } => {
                self.waits.begin(agent, why, *seconds, Instant::now());
                self.tell_state();
            }
            Event::Resumed { agent } => {
                self.waits.end(agent);
                self.tell_state();
            }
            Event::AgentStopped { agent, .. } => {
                self.say(&format!("agent `{agent}` cannot play; its episodes stay open"));
            }
            Event::Workers { count } => {
                self.workers = Some(*count);
                self.tell_state();
            }
            Event::Trouble { worker, why } => self.say(&format!("worker {worker}: {why}")),
            Event::CannotHere { worker, agent, why } => {
                self.say(&format!(
                    "worker {worker} cannot play agent `{agent}`, whose episodes wait for another one: {why}"
                ));
            }
            Event::Left { .. } => {}
        }
    }

    fn tick(&mut self, in_flight: usize) {
        self.in_flight = in_flight;
        self.tell_state();
        self.whole.update();
        if self.lines.is_some_and(|last| last.elapsed() >= LINE_EVERY) {
            self.lines = Some(Instant::now());
            eprintln!("{}", self.line());
        }
    }
}

impl Bar {
    fn new(name: String) -> Self {
        Bar {
            name,
            bar: ProgressBar::hidden(),
            planned: 0,
            ended: 0,
            won: 0,
            decisions: 0,
            invalid: 0,
            kept: 0,
            spent: Spending::default(),
        }
    }

    fn update(&self) {
        self.bar.set_position(self.ended as u64);
        self.bar.set_message(self.counts());
    }

    /// How long the rest may take; before an episode has ended nobody knows.
    fn left(&self) -> Option<String> {
        let knows = self.ended > 0 && self.ended < self.planned;
        knows.then(|| format!("{} left", HumanDuration(self.bar.eta())))
    }

    /// What happened so far, in words.
    fn counts(&self) -> String {
        let plural = if self.decisions == 1 { "" } else { "s" };
        let mut text = format!("{} won, {} decision{plural}", self.won, self.decisions);
        if self.invalid > 0 {
            let plural = if self.invalid == 1 { "" } else { "s" };
            text += &format!(", {} invalid answer{plural}", self.invalid);
        }
        let Spending { tokens, cost_usd } = self.spent;
        if self.kept > 0 {
            text += &format!(", {} answers from the cache", self.kept);
        }
        if tokens > 0 {
            text += &format!(", {tokens} tokens");
        }
        if cost_usd > 0.0 {
            text += &format!(", {cost_usd:.2} USD");
        }
        text
    }
}

/// `4 calls in flight, 12 waiting, next in 8 s: 429 …`, or nothing.
fn calls_in_words(in_flight: usize, waits: &Waits, now: Instant) -> Option<String> {
    let in_flight = match in_flight {
        0 => None,
        1 => Some("1 call in flight".to_owned()),
        count => Some(format!("{count} calls in flight")),
    };
    let waiting = waits.next(now).map(|wait| {
        let why: String = wait.why.chars().take(60).collect();
        let when = if wait.seconds > 0.0 { format!(", next in {} s", wait.seconds.ceil()) } else { String::new() };
        format!("{} waiting{when}: {why}", waits.calls())
    });
    let parts: Vec<String> = in_flight.into_iter().chain(waiting).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn is_played(standing: &Standing) -> bool {
    matches!(standing, Standing::Due | Standing::Again)
}

/// The bar's look.
fn style(width: usize) -> ProgressStyle {
    ProgressStyle::with_template(&format!("{{prefix:{width}}} {{bar:16}} {{pos:>4}}/{{len:4}} {{wide_msg}}"))
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
