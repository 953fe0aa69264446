//! What a page carries, unpacked again. What it shows is tested in a browser, by `tests/outside/page.py`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::pack::unpack;
use super::*;
use crate::agent::conversation;
use crate::analysis::run::{analysis_path, kept_floors};
use crate::eval::folder::read_manifest;
use crate::eval::manifest::Manifest;
use crate::eval::trace::Trace;
use crate::report::{batch, episodes, sample};

/// A kept run of two episodes, one of a model's, in a folder of its own.
struct Run {
    folder: TempDir,
    manifest: Manifest,
    floors: Vec<BatchFloor>,
    episodes: Vec<EpisodeAnalysis>,
}

impl Run {
    fn kept() -> Self {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/format-1");
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("episodes")).unwrap();
        for file in fs::read_dir(from.join("episodes")).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), folder.path().join("episodes").join(file.file_name())).unwrap();
        }
        let manifest = read_manifest(&from).unwrap();
        let floors = kept_floors(&from, &manifest).unwrap();
        let lines = fs::read_to_string(analysis_path(&from)).unwrap();
        let episodes = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        Run { folder, manifest, floors, episodes }
    }

    fn source(&self) -> Source<'_> {
        let Run { folder, manifest, floors, episodes } = self;
        Source { folder: folder.path(), manifest, floors, episodes }
    }

    fn trace(&self, index: usize) -> PathBuf {
        self.folder.path().join("episodes").join(format!("{}.jsonl", self.episodes[index].id))
    }

    fn page(&self) -> String {
        page("a run", &[], &[], &[self.source()])
    }
}

fn page(title: &str, tables: &[&Table], plots: &[Plot], sources: &[Source<'_>]) -> String {
    let mut out = Vec::new();
    Page { title, tables, plots, sources }.write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn blocks(page: &str, kind: &str) -> Vec<Value> {
    let opening = format!(r#"<script type="text/plain" data-kind="{kind}">"#);
    page.split(&opening).skip(1).map(|rest| unpack(rest.split("</script>").next().unwrap())).collect()
}

#[test]
fn every_decision_is_that_of_its_trace() {
    let run = Run::kept();
    let episodes = blocks(&run.page(), "episode");
    assert_eq!(episodes.len(), 2);
    for (index, episode) in episodes.iter().enumerate() {
        let (shown, trace) = (episode, Trace::read(&run.trace(index)).unwrap());
        assert_eq!(shown["decisions"].as_array().unwrap().len(), trace.decisions.len());
        assert_eq!(shown["failed"], Value::Null);
        for ((decision, shown), judged) in
            trace.decisions.iter().zip(shown["decisions"].as_array().unwrap()).zip(&run.episodes[index].decisions)
        {
            assert_eq!(shown["executed"], decision.executed);
            assert_eq!(shown["after"]["hero"][0], decision.after.hp);
            assert_eq!(shown["after"]["at"], json!([decision.target.floor, decision.target.x, decision.target.y]));
            assert_eq!(shown["lost"], json!(judged.value_lost()));
            let actions = shown["deeds"].as_array().unwrap();
            assert_eq!(actions.len(), decision.actions.len());
            for (at, (view, worth)) in decision.actions.iter().zip(&judged.actions).enumerate() {
                let deed = &episode["deeds"][actions[at].as_u64().unwrap() as usize];
                let change = if view.lethal { 0 } else { view.hp_after - decision.hero.hp };
                assert_eq!((&deed["text"], &deed["change"]), (&json!(view.text), &json!(change)));
                assert_eq!(shown["values"][at], json!(worth.worth.hp()));
            }
        }
    }
}

#[test]
fn calls_are_those_that_were_made_and_each_text_is_carried_once() {
    let run = Run::kept();
    let model = run.episodes.iter().position(|episode| !episode.verdicts.is_empty()).unwrap();
    let calls = Trace::read(&run.trace(model)).unwrap().calls;
    let shown = &blocks(&run.page(), "episode")[model];
    let text = |place: &Value| shown["texts"][place.as_u64().unwrap() as usize].as_str().unwrap();
    for (index, (call, shown)) in calls.iter().zip(shown["calls"].as_array().unwrap()).enumerate() {
        let sent: Vec<String> =
            conversation::sent(call, &calls[..index]).iter().map(|message| message.content.to_string()).collect();
        let carried: Vec<&str> =
            shown["messages"].as_array().unwrap().iter().map(|message| text(&message[1])).collect();
        assert_eq!(carried, sent);
        assert_eq!(Some(text(&shown["content"])), call.content.as_deref());
        assert_eq!(shown["prompt_tokens"], call.usage.prompt_tokens);
        assert_eq!(shown["complaint"], json!(call.complaint));
    }
    let mut texts: Vec<&str> = shown["texts"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let count = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert!(count > 3 && texts.len() == count);
}

#[test]
fn a_trace_that_is_gone_torn_or_anothers_gives_a_replay_without_prompts() {
    let run = Run::kept();
    let model = run.episodes.iter().position(|episode| !episode.verdicts.is_empty()).unwrap();
    let whole = blocks(&run.page(), "episode");
    let counted: u32 = run.episodes[model].verdicts.values().sum();
    let text = fs::read_to_string(run.trace(model)).unwrap();
    let spoil: [&dyn Fn(); 3] = [
        &|| fs::write(run.trace(model), format!("{{\n{text}")).unwrap(),
        &|| fs::write(run.trace(model), fs::read(run.trace(1 - model)).unwrap()).unwrap(),
        &|| fs::remove_file(run.trace(model)).unwrap(),
    ];
    for spoil in spoil {
        spoil();
        let without = blocks(&run.page(), "episode");
        assert_eq!(without[model]["decisions"], whole[model]["decisions"]);
        assert_eq!(without[model]["calls"], json!([]));
        assert_eq!(without[model]["calls_missing"], counted);
        assert_eq!(without[1 - model], whole[1 - model]);
    }
    let first_lines: String = text.split_inclusive('\n').take(2).chain(["{\"record\":\"ca"]).collect();
    fs::write(run.trace(model), first_lines).unwrap();
    let torn = &blocks(&run.page(), "episode")[model];
    assert_eq!((torn["calls"].as_array().unwrap().len(), &torn["calls_missing"]), (1, &json!(counted - 1)));
}

#[test]
fn what_the_floor_does_not_give_ends_a_replay_and_nothing_else() {
    let mut run = Run::kept();
    run.episodes[0].decisions[1].executed = 99;
    run.episodes[1].key.floor = "elsewhere".into();
    let shown = blocks(&run.page(), "episode");
    assert_eq!(shown[0]["decisions"].as_array().unwrap().len(), 1);
    assert!(shown[0]["failed"].as_str().unwrap().starts_with("action 99 was executed, and "), "{}", shown[0]["failed"]);
    assert_eq!(shown[1]["failed"], "the run does not have the floor");
}

#[test]
fn the_same_runs_give_the_same_bytes_and_runs_share_floors() {
    let (one, other) = (Run::kept(), Run::kept());
    assert_eq!(one.page(), one.page());
    let both = page("two", &[], &[], &[one.source(), other.source()]);
    assert_eq!((blocks(&both, "floor").len(), blocks(&both, "episode").len()), (1, 4));
    let overview = &blocks(&both, "overview")[0];
    let runs: Vec<&Value> = overview["episodes"].as_array().unwrap().iter().map(|episode| &episode["run"]).collect();
    assert_eq!(runs, [0, 0, 1, 1]);
}

#[test]
fn nothing_from_outside_is_markup() {
    const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>]]>\u{2028}\u{202e}\u{0}";
    let mut analyses = sample::batch();
    for episode in &mut analyses {
        episode.key.agent = HOSTILE.into();
        episode.reason = Some(HOSTILE.into());
    }
    let table = episodes::table(&batch::floors(&analyses)).unwrap();
    let mut run = Run::kept();
    run.episodes[0].id = HOSTILE.into();
    run.episodes[0].floor_title = HOSTILE.into();
    run.episodes[0].decisions[0].actions[0].text = HOSTILE.into();
    run.manifest.config.agents[0].name = HOSTILE.into();
    let plots = [Plot { stem: HOSTILE.into(), title: HOSTILE.into(), svg: HOSTILE.into() }];
    let hostile = page(HOSTILE, &[&table], &plots, &[run.source()]);
    let plain = Run::kept().page();
    for markup in ["<script", "</script", "<img", "onerror", "alert", "\u{2028}", "\u{202e}", "\u{0}"] {
        // One more table's, plot's or episode's block is all that there may be.
        let more = usize::from(markup.contains("script"));
        assert_eq!(hostile.matches(markup).count(), plain.matches(markup).count() + more, "{markup}");
    }
    let overview = &blocks(&hostile, "overview")[0];
    assert_eq!((&overview["title"], &overview["plots"][0]), (&json!(HOSTILE), &json!(HOSTILE)));
    assert_eq!(overview["tables"][0]["cells"][1][0], HOSTILE);
    assert_eq!(overview["episodes"][0]["id"], HOSTILE);
}

#[test]
fn tables_are_carried_as_they_are_exported() {
    let floors = sample::batch();
    let table = episodes::table(&batch::floors(&floors)).unwrap();
    let sheet = &blocks(&page("t", &[&table], &[], &[]), "overview")[0]["tables"][0];
    let column = |name: &str| {
        let columns = sheet["columns"].as_array().unwrap();
        let index = columns.iter().position(|column| column["name"] == name).unwrap();
        (columns[index]["numeric"].as_bool().unwrap(), &sheet["cells"][index])
    };
    assert_eq!(column("cost_usd").1[1], "0.250000");
    assert_eq!(column("final_hp"), (true, &json!(["68", "0", "0", "0", "22", "0", null, "9"])));
    assert!(!column("losing_at").0);
}

#[test]
fn a_report_of_nothing_is_a_page() {
    let page = page("nothing", &[], &[], &[]);
    assert_eq!(blocks(&page, "overview")[0]["episodes"], json!([]));
    assert!(page.ends_with("</html>\n"));
}

#[test]
fn a_disk_that_is_full_is_told() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let run = Run::kept();
    let error = Page { title: "t", tables: &[], plots: &[], sources: &[run.source()] }.write(&mut Full).unwrap_err();
    assert!(matches!(error, PageError::Io(_)), "{error}");
}
