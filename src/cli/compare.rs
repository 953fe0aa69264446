//! `mota compare`: two runs set side by side, episode by episode.

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::effort::EffortArgs;
use super::output;
use super::{Exit, Failure};
use crate::analysis::EpisodeAnalysis;
use crate::analysis::pairing::{Pair, Parting, differences, pairs};
use crate::analysis::run::{judge_all, kept_floors};
use crate::eval::Ending;
use crate::eval::folder::read_manifest;
use crate::eval::manifest::Manifest;
use crate::format::problem::nearest;
use crate::report;
use crate::report::compared::{Compared, tables};

/// Arguments of `mota compare`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota compare runs/before runs/after
  mota compare runs/quickstart runs/quickstart --pair greedy=heuristic
  mota compare runs/small runs/large --pair 'small / single_floor=large / single_floor' --out reports/sizes

Episodes are paired by floor and repeat. Without --pair each configuration is compared with the one of the same name; \
if no name is the same and each run has one configuration, these two are compared. Only floors that are the same in both \
runs count.")]
pub struct CompareArgs {
    /// The one run's folder
    one: PathBuf,
    /// The other run's folder
    other: PathBuf,
    /// A configuration of the one run and one of the other, as tables name them: `agent` or `agent / prompt`
    #[arg(long = "pair", value_name = "ONE=OTHER")]
    pairs: Vec<String>,
    /// Also write the tables to this folder, as CSV, Markdown, LaTeX and Parquet
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    effort: EffortArgs,
    /// Print JSON (its schema: mota schema compare)
    #[arg(long)]
    json: bool,
}

/// Two configurations compared, as `mota compare --json` prints it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CompareOutput {
    /// The configuration of the one run.
    one: String,
    /// That of the other.
    other: String,
    /// Pairs of finished episodes.
    pairs: usize,
    /// Pairs that both have won.
    both_won: usize,
    /// Pairs that only the one has won.
    only_one_won: usize,
    /// Pairs that only the other has won.
    only_other_won: usize,
    /// Two-sided p-value of the wins, by McNemar's exact test.
    p_wins: Option<f64>,
    /// Mean of the other's final HP less the one's.
    hp_difference: Option<f64>,
    /// Ends of its 95 % interval, by the percentile bootstrap.
    hp_interval: Option<[f64; 2]>,
    /// Its two-sided p-value, by the permutation test for pairs.
    p_hp: Option<f64>,
    /// The pairs that are not the same to the end.
    partings: Vec<PartedPair>,
}

/// Two episodes that part.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PartedPair {
    /// The floor.
    floor: String,
    /// The repeat, from 0.
    repeat: u32,
    /// How the one ended.
    one_ending: Option<Ending>,
    /// How the other ended.
    other_ending: Option<Ending>,
    /// Final HP of the one.
    one_hp: i64,
    /// Final HP of the other.
    other_hp: i64,
    /// Where they part.
    #[serde(flatten)]
    parting: Parting,
    /// Whether the floor's state values are known; a value that is not has its bounds beside it.
    values_known: bool,
}

/// A run with its analysed episodes.
struct Run {
    manifest: Manifest,
    episodes: Vec<EpisodeAnalysis>,
    whole: bool,
}

impl CompareArgs {
    /// Compares the runs and prints the result.
    pub fn run(self) -> Result<Exit, Failure> {
        if let Some(out) = self.out.as_ref().filter(|out| out.is_file()) {
            return Err(Failure::bad_input(format!("{}: this is a file; --out names a folder", out.display())));
        }
        let [one, other] = [Run::read(&self.one, self.effort)?, Run::read(&self.other, self.effort)?];
        if one.manifest.config.items != other.manifest.config.items {
            let why = "they collect items differently (`items`), which makes other games of the same floors";
            let names = format!("{} and {}", self.one.display(), self.other.display());
            return Err(Failure::bad_input(format!("{names} cannot be compared: {why}")));
        }
        let left_out = other_floors(&one.manifest, &other.manifest);
        for floor in &left_out {
            tracing::warn!("the floor `{floor}` differs between the runs and is left out");
        }
        let is_same = |episode: &&EpisodeAnalysis| !left_out.contains(&episode.key.floor);
        let named = self.named(&one, &other)?;
        let compared: Vec<Compared<'_>> = named
            .into_iter()
            .map(|[first, second]| {
                let of = |run: &'_ Run, name: &str| -> Vec<usize> {
                    let found =
                        run.episodes.iter().enumerate().filter(|(_, episode)| episode.key.configuration() == name);
                    found.filter(|(_, episode)| is_same(episode)).map(|(index, _)| index).collect()
                };
                let ones: Vec<&EpisodeAnalysis> = of(&one, &first).into_iter().map(|at| &one.episodes[at]).collect();
                let others: Vec<&EpisodeAnalysis> =
                    of(&other, &second).into_iter().map(|at| &other.episodes[at]).collect();
                Compared { pairs: pairs(&ones, &others), one: first, other: second }
            })
            .collect();
        let tables = tables(&compared).map_err(report::ReportError::from)?;
        let files = match &self.out {
            Some(out) => report::write_tables(&tables, out)?,
            None => Vec::new(),
        };
        if self.json {
            output::json(&compared.iter().map(CompareOutput::of).collect::<Vec<_>>())?;
        } else {
            let mut text: String = compared.iter().map(text).collect();
            if let Some(out) = &self.out {
                text += &format!("\nWritten to {}:\n{}", out.display(), super::written::lines(&files, out));
            }
            output::text(&text)?;
        }
        Ok(if one.whole && other.whole { Exit::Done } else { Exit::NotWell })
    }

    /// The names of the configurations that are compared, of the one run and of the other.
    fn named(&self, one: &Run, other: &Run) -> Result<Vec<[String; 2]>, Failure> {
        let (ones, others) = (one.configurations(), other.configurations());
        if !self.pairs.is_empty() {
            let known = |name: &str, known: &[String], run: &Path| match known.iter().any(|one| one == name) {
                true => Ok(name.to_owned()),
                false => Err(Failure::bad_input(unknown(name, known, run))),
            };
            let read = |pair: &String| -> Result<[String; 2], Failure> {
                let wrong = || Failure::bad_input(format!("--pair {pair}: write ONE=OTHER, such as greedy=heuristic"));
                let (first, second) = pair.split_once('=').ok_or_else(wrong)?;
                Ok([known(first.trim(), &ones, &self.one)?, known(second.trim(), &others, &self.other)?])
            };
            return self.pairs.iter().map(read).collect();
        }
        let same: Vec<[String; 2]> =
            ones.iter().filter(|name| others.contains(name)).map(|name| [name.clone(), name.clone()]).collect();
        if !same.is_empty() {
            for (run, names, known) in [(&self.one, &ones, &others), (&self.other, &others, &ones)] {
                let alone: Vec<String> = names.iter().filter(|name| !known.contains(name)).cloned().collect();
                if !alone.is_empty() {
                    tracing::warn!("only in {}, and not compared: {}", run.display(), listed(&alone));
                }
            }
        }
        match (same.is_empty(), ones.as_slice(), others.as_slice()) {
            (false, ..) => Ok(same),
            (true, [first], [second]) => Ok(vec![[first.clone(), second.clone()]]),
            (true, ..) => Err(Failure::bad_input(format!(
                "no configuration has the same name in both runs; name two with --pair ONE=OTHER\n{} has {}\n{} has {}",
                self.one.display(),
                listed(&ones),
                self.other.display(),
                listed(&others)
            ))),
        }
    }
}

impl Run {
    fn read(folder: &Path, effort: EffortArgs) -> Result<Self, Failure> {
        let manifest = read_manifest(folder)?;
        let analysis = judge_all(folder, &manifest, &kept_floors(folder, &manifest)?, effort.effort());
        super::analyze::warn(&analysis);
        let whole = analysis.is_whole();
        Ok(Run { manifest, episodes: analysis.episodes, whole })
    }

    /// The names of its configurations, in the order of the plan.
    fn configurations(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.episodes.iter().map(|episode| episode.key.configuration()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// Floors of the same name and another content.
fn other_floors(one: &Manifest, other: &Manifest) -> Vec<String> {
    let differs = |name: &str, hash: &str| other.floors.iter().any(|known| known.name == name && known.hash != hash);
    one.floors.iter().filter(|floor| differs(&floor.name, &floor.hash)).map(|floor| floor.name.clone()).collect()
}

fn unknown(name: &str, known: &[String], run: &Path) -> String {
    let hint = nearest(name, known.iter().map(String::as_str)).map(|near| format!("; did you mean `{near}`?"));
    format!("{} has no configuration `{name}`{}\nit has {}", run.display(), hint.unwrap_or_default(), listed(known))
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "no episodes".into(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

impl CompareOutput {
    fn of(compared: &Compared<'_>) -> Self {
        let found = differences(&compared.pairs);
        CompareOutput {
            one: compared.one.clone(),
            other: compared.other.clone(),
            pairs: found.pairs,
            both_won: found.both,
            only_one_won: found.only_one,
            only_other_won: found.only_other,
            p_wins: found.p_wins,
            hp_difference: found.hp,
            hp_interval: found.hp_interval.map(|interval| [interval.low, interval.high]),
            p_hp: found.p_hp,
            partings: compared.pairs.iter().filter_map(PartedPair::of).collect(),
        }
    }
}

impl PartedPair {
    fn of(pair: &Pair<'_>) -> Option<Self> {
        Some(PartedPair {
            floor: pair.one.key.floor.clone(),
            repeat: pair.one.key.repeat,
            one_ending: pair.one.ending,
            other_ending: pair.other.ending,
            one_hp: pair.one.final_hp(),
            other_hp: pair.other.final_hp(),
            parting: pair.parting()?,
            values_known: pair.one.is_judged() && pair.other.is_judged(),
        })
    }
}

/// Pairs that are listed one by one, at most; the tables hold all.
const MOST_LISTED: usize = 20;

fn text(compared: &Compared<'_>) -> String {
    let found = differences(&compared.pairs);
    let mut text = match compared.one == compared.other {
        true => format!("{}: {}\n", compared.one, count(found.pairs, "pair")),
        false => format!("{} → {}: {}\n", compared.one, compared.other, count(found.pairs, "pair")),
    };
    let (Some(p_wins), Some(hp), Some(p_hp)) = (found.p_wins, found.hp, found.p_hp) else {
        return text + "  no finished episodes on the same floor with the same repeat\n\n";
    };
    text += &format!(
        "  won: both {}, only the one {}, only the other {}; McNemar's exact test p = {}\n",
        found.both,
        found.only_one,
        found.only_other,
        p_value(p_wins)
    );
    let interval = found.hp_interval.map(|i| format!(" (95 % {:.2} to {:.2})", i.low, i.high)).unwrap_or_default();
    text +=
        &format!("  final HP, other less one: {hp:.2} on average{interval}; permutation test p = {}\n", p_value(p_hp));
    let parted: Vec<PartedPair> = compared.pairs.iter().filter_map(PartedPair::of).collect();
    text += &format!("  {} the same to the end\n", count(found.pairs - parted.len(), "pair"));
    let changed = compared.pairs.iter().filter(|pair| pair.changed_outcome());
    let unchanged = compared.pairs.iter().filter(|pair| !pair.changed_outcome());
    for pair in changed.chain(unchanged).filter_map(PartedPair::of).take(MOST_LISTED) {
        text += &parted_text(&pair);
    }
    if parted.len() > MOST_LISTED {
        text += &format!("  … and {} more (--out writes all, --json prints them)\n", parted.len() - MOST_LISTED);
    }
    text + "\n"
}

fn parted_text(pair: &PartedPair) -> String {
    let ended = |ending: Option<Ending>, hp: i64| match ending {
        Some(Ending::Won) => format!("won at {hp}"),
        Some(other) => other.to_string(),
        None => "unfinished".into(),
    };
    let did = |action: &Option<crate::analysis::ActionValue>| match action {
        Some(action) => {
            let value = match (action.worth.is_lost(), action.worth.is_unknown()) {
                (true, _) => "lost".to_owned(),
                (_, true) => "value not known".to_owned(),
                _ => format!("value {}", action.worth),
            };
            format!("{} {} ({value})", action.text, action.target)
        }
        None => "ended".into(),
    };
    format!(
        "  {} {}: {} → {}; at decision {}{}: {} → {}\n",
        pair.floor,
        pair.repeat,
        ended(pair.one_ending, pair.one_hp),
        ended(pair.other_ending, pair.other_hp),
        pair.parting.turn,
        Some(pair.parting.before)
            .filter(|before| before.is_saved() || before.bound().is_some())
            .map(|before| format!(", value {before}"))
            .unwrap_or_default(),
        did(&pair.parting.one),
        did(&pair.parting.other)
    )
}

/// A p-value as tables write it.
fn p_value(p: f64) -> String {
    if p < 1e-4 { format!("{p:.1e}") } else { format!("{p:.4}") }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
