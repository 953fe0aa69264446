//! Analyses.

use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::OnceLock;

use proptest::prelude::*;
use tempfile::TempDir;
use tokio::sync::watch;

use super::{done, shuffled, taken_in, task};
use crate::analysis::judge::judge;
use crate::analysis::piece::{Gathering, Judge, Pieces, Record, Slots};
use crate::analysis::run::{RunAnalysis, judge_all, kept_floors};
use crate::cluster::pieces::harvest::Analysis;
use crate::cluster::pieces::task::analysis::{SharedAnalysis, results};
use crate::cluster::pieces::task::{Piece, TaskError, Work};
use crate::eval::config_file::ConfigFile;
use crate::eval::dispatcher::{self, Reporter, RunOptions};
use crate::eval::event::Event;
use crate::eval::floor::BatchFloor;
use crate::eval::folder::{RunFolder, read_manifest};
use crate::eval::lineup::local_limits;
use crate::eval::manifest::Manifest;
use crate::eval::plan::{Entry, Plan, WherePlayed};
use crate::eval::store::{EpisodeStore, FolderStore, trace_path};
use crate::eval::trace::Trace;
use crate::game::ItemMode;
use crate::solver::Effort;

/// A run whose traces are whole but for some.
struct Run {
    folder: TempDir,
    manifest: Manifest,
    floors: Vec<BatchFloor>,
    entries: Vec<Entry>,
}

const CONFIG: &str = r#"
name = "pieces"
seed = 3
repeats = 7
floors = ["floors/simple.toml", "floors/generated/generated-114.toml", "floors/towers/01-one-floor-easy.toml", "tests/data/towers/gatekeeper.toml"]
[limits]
turns = 25
[[agent]]
name = "random"
kind = "random"
[[agent]]
name = "greedy"
kind = "greedy"
"#;

struct Silent;

impl Reporter for Silent {
    fn event(&mut self, _: &Event) {}
    fn tick(&mut self, _: usize) {}
}

/// Plays the run once for all tests.
fn run() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| {
        let base = Path::new(env!("CARGO_MANIFEST_DIR"));
        let plan =
            Arc::new(Plan::new(ConfigFile::parse("run.toml", "pieces", CONFIG), base, WherePlayed::Here).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        drop(RunFolder::open(&path, &plan, false).unwrap());
        let store: Arc<dyn EpisodeStore> = Arc::new(FolderStore::new(&path));
        let (_sender, stop) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let agenda = dispatcher::agenda(&plan, &*store, RunOptions::default()).await.unwrap();
            let limits = local_limits(&plan, agenda.spent);
            dispatcher::run(&plan, &store, &limits, &agenda, stop, &mut Silent).await.unwrap();
        });
        let manifest = read_manifest(&path).unwrap();
        let floors = kept_floors(&path, &manifest).unwrap();
        let run = Run { entries: manifest.episodes(), folder, manifest, floors };
        run.spoil();
        run
    })
}

impl Run {
    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("run")
    }

    fn trace(&self, index: usize) -> std::path::PathBuf {
        trace_path(&self.path(), &self.entries[index].id)
    }

    /// One trace is empty, one torn, one missing, one no trace, one another's, one not what the rules give.
    fn spoil(&self) {
        let change = |index: usize, how: &dyn Fn(String) -> String| {
            let text = fs::read_to_string(self.trace(index)).unwrap();
            fs::write(self.trace(index), how(text)).unwrap();
        };
        change(1, &|_| String::new());
        change(2, &|text| text[..text.len() - 9].to_owned());
        fs::remove_file(self.trace(4)).unwrap();
        change(8, &|text| text.replacen("\"decision\"", "\"derision\"", 1));
        change(10, &|text| text.replacen("\"seed\":3", "\"seed\":4", 1));
        change(12, &|text| text.replacen("\"after\":{\"hp\":", "\"after\":{\"hp\":1", 1));
        assert!(self.entries.len() > 24);
    }

    fn in_one_place(&self, effort: Effort) -> RunAnalysis {
        judge_all(&self.path(), &self.manifest, &self.floors, effort)
    }

    /// Pieces with so many episodes at most, done in the order of a number.
    fn in_pieces(&self, effort: Effort, most: usize, order: u64) -> RunAnalysis {
        let path = self.path();
        let task = task(Work::Analysis(SharedAnalysis { items: self.manifest.config.items, effort }));
        let pieces = Pieces::of(&path, &self.manifest, &self.floors, &self.entries).of_at_most(most, 4_000);
        let mut gathering = Gathering::new(&path, &self.floors, effort);
        let mut episodes = Vec::new();
        for (number, (piece, slots)) in shuffled(pieces.enumerate(), order) {
            let lines = done(&task, &Piece::Analysis(piece));
            let taken = gathering.add(number, slots, results(&lines).unwrap(), |analysis| {
                episodes.push(analysis);
                Ok::<(), Infallible>(())
            });
            taken.unwrap();
        }
        RunAnalysis { episodes, walked: gathering.finish() }
    }
}

fn written(analysis: &RunAnalysis) -> Vec<String> {
    analysis.episodes.iter().map(|episode| serde_json::to_string(episode).unwrap()).collect()
}

fn assert_same(one: &RunAnalysis, other: &RunAnalysis) {
    assert_eq!(written(one), written(other));
    assert_eq!(one.episodes, other.episodes);
    assert_eq!(one.walked, other.walked);
}

const EFFORT: Effort = Effort::Steps(200);

#[test]
fn what_cannot_be_judged_is_told_in_the_order_of_the_plan() {
    let here = run().in_one_place(EFFORT);
    assert_eq!(here.walked.left_out.len(), 3, "{:?}", here.walked);
    assert!(!here.walked.unknown.is_empty(), "{:?}", here.walked);
    assert_same(&run().in_pieces(EFFORT, 3, 0), &here);
    let none = run().in_one_place(Effort::NoValues);
    assert_same(&run().in_pieces(Effort::NoValues, 64, 1), &none);
}

#[test]
fn a_harvest_of_an_analysis_is_what_is_said_in_one_place() {
    let (run, path) = (run(), run().path());
    let mut episodes = Vec::new();
    let mut take = |analysis| episodes.push(analysis);
    let pieces = Pieces::of(&path, &run.manifest, &run.floors, &run.entries).of_at_most(2, 4_000);
    let mut harvest = Analysis::new(pieces, Gathering::new(&path, &run.floors, EFFORT), &mut take);
    let items = run.manifest.config.items;
    taken_in(&mut harvest, &task(Work::Analysis(SharedAnalysis { items, effort: EFFORT })), 5);
    let walked = harvest.finish();
    assert_same(&RunAnalysis { episodes, walked }, &run.in_one_place(EFFORT));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_pieces_in_any_order_say_the_same(most in 1usize..20, order: u64) {
        static HERE: OnceLock<RunAnalysis> = OnceLock::new();
        assert_same(&run().in_pieces(EFFORT, most, order), HERE.get_or_init(|| run().in_one_place(EFFORT)));
    }

    #[test]
    fn costs_and_times_arrive_to_the_last_digit(cost in proptest::num::f64::POSITIVE, waited in proptest::num::f64::POSITIVE) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/format-1");
        let manifest = read_manifest(&folder).unwrap();
        let floors = kept_floors(&folder, &manifest).unwrap();
        let mut trace = Trace::read(&trace_path(&folder, &manifest.episodes()[1].id)).unwrap();
        for call in &mut trace.calls {
            (call.usage.cost_usd, call.time.waiting_s) = (Some(cost / 64.0), waited / 64.0);
        }
        let worths = floors[0].worths(Effort::NoValues).unwrap();
        let expected = judge(&trace, &worths).unwrap();
        let record = serde_json::to_string(&Record::of(trace)).unwrap();
        prop_assert!(record.len() < 30_000, "{}", record.len());
        let piece = crate::analysis::piece::Piece {
            name: "simple".into(),
            floor: floors[0].text.to_string(),
            episodes: vec![serde_json::from_str(&record).unwrap()],
        };
        let lines = done(&task(Work::Analysis(SharedAnalysis { items: ItemMode::Auto, effort: Effort::NoValues })), &Piece::Analysis(piece));
        let judged = results(&lines).unwrap().unwrap().remove(0).unwrap();
        prop_assert_eq!(serde_json::to_string(&judged).unwrap(), serde_json::to_string(&expected).unwrap());
    }
}

#[test]
fn long_episodes_do_not_share_a_piece_with_many() {
    let run = run();
    let path = run.path();
    let sizes = |episodes: usize, decisions: usize| -> Vec<usize> {
        let pieces = Pieces::of(&path, &run.manifest, &run.floors, &run.entries).of_at_most(episodes, decisions);
        pieces.map(|(piece, _): (_, Slots)| piece.episodes.len()).collect()
    };
    // Of each of the first two floors two traces are none.
    assert_eq!(sizes(64, 4_000), [6, 6, 8, 8]);
    assert_eq!(sizes(3, 4_000), [3, 3, 3, 3, 3, 3, 2, 3, 3, 2]);
    assert_eq!(sizes(64, 1), [1; 28]);
    // An episode has at most 25 decisions.
    assert!(sizes(64, 26).iter().all(|episodes| *episodes >= 1) && sizes(64, 26).len() > 4);
}

#[test]
fn a_floor_of_which_nothing_is_known_is_told_once() {
    let run = run();
    let path = run.path();
    let pieces: Vec<_> = Pieces::of(&path, &run.manifest, &run.floors, &run.entries).of_at_most(2, 4_000).collect();
    let mut gathering = Gathering::new(&path, &run.floors, EFFORT);
    for (number, (_, slots)) in pieces.into_iter().enumerate().rev() {
        let failed = r#"{"floor_left_out":"no first state"}"#.to_owned();
        let taken = gathering.add(number, slots, results(&[failed]).unwrap(), |_| Err("nothing is judged"));
        taken.unwrap();
    }
    let told: Vec<String> = run.floors.iter().map(|floor| format!("{}: no first state", floor.name())).collect();
    assert_eq!(gathering.finish().left_out, told);
}

#[test]
fn a_broken_piece_is_refused_by_name() {
    let judge = Judge::new(ItemMode::Auto, EFFORT);
    let piece = crate::analysis::piece::Piece { name: "odd".into(), floor: "no floor".into(), episodes: Vec::new() };
    for _ in 0..2 {
        let told = judge.judge(&piece, &|| false).unwrap_err().to_string();
        assert!(told.starts_with("odd: "), "{told}");
    }
    let run = run();
    let (path, task) = (run.path(), task(Work::Analysis(SharedAnalysis { items: ItemMode::Auto, effort: EFFORT })));
    let (piece, slots) = Pieces::of(&path, &run.manifest, &run.floors, &run.entries).next().unwrap();
    assert!(matches!(task.run(&Piece::Analysis(piece), &|| true), Err(TaskError::Stopped)));
    // What came back is of another piece: nothing is taken for what it is not.
    let mut gathering = Gathering::new(&path, &run.floors, EFFORT);
    gathering.add(0, slots, Ok(Vec::new()), |_| Err("taken")).unwrap();
    let walked = gathering.finish();
    assert!(
        walked.episodes == 0 && walked.left_out.iter().any(|why| why.ends_with("of another episode")),
        "{walked:?}"
    );
    assert!(results(&["[]".to_owned()]).is_err());
}
