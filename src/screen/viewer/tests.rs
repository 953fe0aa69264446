//! What the viewer shows, and what keys do to it.

use super::*;
use crate::agent::Verdict;
use crate::screen::sample::{Held, call, drawn, game, press, shown, trace};

/// The first action each time, which loses `simple` at once, with calls for the first decision.
fn lost() -> (crate::game::Game, crate::eval::trace::Trace) {
    let game = game("simple");
    let mut trace = trace(&game, |_| Some(1));
    trace.calls = vec![call(1, 0, "Hm, 魔塔。", None), call(1, 1, "{\"action\": 1}", Some(1))];
    (game, trace)
}

/// The highest number that is not lethal each time, twice.
fn unfinished() -> (crate::game::Game, crate::eval::trace::Trace) {
    let game = game("hand01");
    let trace = trace(&game, |state| (state.turn < 2).then_some(2));
    (game, trace)
}

fn viewer(held: &Held) -> Viewer<'_> {
    Viewer::new(held, None, Palette::new(true))
}

#[test]
fn an_episode_at_80_by_24() {
    let held = Held(vec![lost(), unfinished()]);
    insta::assert_snapshot!(shown(&mut viewer(&held), 80, 24), @r"
    mine on simple, repeat 0: dead  [episode 1 of 2]
    value here 13 HP, optimum 13 HP, losing decision 1
    ┌ map ─────────────────────┐┏ decisions: value after, lost, marks ━━━━━━━━━ ↓2 ┓
    │   0   2   4   6   8  10  │┃  1  lost   -13 Xcf fight the Slime Lord (4,2)    ┃
    │ 0 · a ▒▒▒▒▒ @ · Y Y 1 ·  │┃  2  lost           fight the Slime Lord (2,1)    ┃
    │ 1 k · 4 · ▒ · ▒▒▒▒▒ a ·  │┃  3  lost           fight the Red Slime (5,3)     ┃
    │ 2 ▒▒▒▒▒ ·[4]· · · ▒ p P  │┃  4  lost           fight the Bat (3,5)           ┃
    │ 3 ▒ a ▒▒▒▒▒ 2 · ▒▒▒▒▒▒▒  │┃  5  lost           fight the Green Slime (5,6)   ┃
    │ 4 k · p ▒▒▒ · 3 · ▒▒▒ d  │┃  6  lost           open the yellow door (4,7)    ┃
    │ 5 · · · 5 · · ▒ Y · 3 ·  │┃  7  lost           fight the Black Slime (3,7)   ┃
    │ 6 ▒▒▒▒▒▒▒▒▒ 1 ▒ · ▒ · p  │┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    │ 7 d ▒▒▒ 3 Y · ▒ p ▒▒▒ 2  │┌ decision 1 ──────────────────────────────────────┐
    │ 8 · ▒ k · ▒ · ▒▒▒▒▒▒▒ ·  ││  no. damage value  action                        │
    │ 9 P 4 · ▒▒▒ 5 ▒ · · 4 ·  ││>  1   -114  lost  fight the Slime Lord (4,2)     │
    │10 ▒ k d ▒▒▒ B ▒ a d · ▒  ││   2    -56  lost  fight the Red Slime (5,3)      │
    └──────────────────────────┘│   3    -55   =13  fight the Black Slime (6,4)    │
    ┌ hero, before→after ── ↓3 ┐│   4         lost  open the yellow door (7,0)     │
    │HP 470→356  ATK 9  DEF 4  ││Action 1 was chosen by the agent.                 │
    │MDEF 0  yellow keys 1     ││It was losing, loses 13 HP of value, forced,      │
    │ 1 Green Slime ×2      -24││critical.                                         │
    │ 2 Red Slime ×2        -56││                                                  │
    │ 3 Black Slime ×3      -55││                                                  │
    └──────────────────────────┘└──────────────────────────────────────────────────┘
    → next  ← back  x losing  v loss  n p episode  tab pane  ? help  q quit
    ");
}

#[test]
fn an_episode_with_what_was_said_at_120_by_40() {
    let held = Held(vec![lost()]);
    insta::assert_snapshot!(shown(&mut viewer(&held), 120, 40), @r#"
    mine on simple, repeat 0: dead
    value here 13 HP, optimum 13 HP, losing decision 1
    ┌ map ─────────────────────┐┏ decisions: value after, lost, marks ━━━━━━━┓┌ decision 1 ────────────────────────────────┐
    │   0   2   4   6   8  10  │┃  1  lost   -13 Xcf fight the Slime Lord (4…┃│  no. damage value  action                  │
    │ 0 · a ▒▒▒▒▒ @ · Y Y 1 ·  │┃  2  lost           fight the Slime Lord (2…┃│>  1   -114  lost  fight the Slime Lord     │
    │ 1 k · 4 · ▒ · ▒▒▒▒▒ a ·  │┃  3  lost           fight the Red Slime (5,…┃│                   (4,2)                    │
    │ 2 ▒▒▒▒▒ ·[4]· · · ▒ p P  │┃  4  lost           fight the Bat (3,5)     ┃│   2    -56  lost  fight the Red Slime (5,3)│
    │ 3 ▒ a ▒▒▒▒▒ 2 · ▒▒▒▒▒▒▒  │┃  5  lost           fight the Green Slime (…┃│   3    -55   =13  fight the Black Slime    │
    │ 4 k · p ▒▒▒ · 3 · ▒▒▒ d  │┃  6  lost           open the yellow door (4…┃│                   (6,4)                    │
    │ 5 · · · 5 · · ▒ Y · 3 ·  │┃  7  lost           fight the Black Slime (…┃│   4         lost  open the yellow door     │
    │ 6 ▒▒▒▒▒▒▒▒▒ 1 ▒ · ▒ · p  │┃  8  lost           fight the Slime Lord (1…┃│                   (7,0)                    │
    │ 7 d ▒▒▒ 3 Y · ▒ p ▒▒▒ 2  │┃end  dead                                   ┃│Action 1 was chosen by the agent.           │
    │ 8 · ▒ k · ▒ · ▒▒▒▒▒▒▒ ·  │┃                                            ┃│It was losing, loses 13 HP of value, forced,│
    │ 9 P 4 · ▒▒▒ 5 ▒ · · 4 ·  │┃                                            ┃│critical.                                   │
    │10 ▒ k d ▒▒▒ B ▒ a d · ▒  │┃                                            ┃│                                            │
    └──────────────────────────┘┃                                            ┃│                                            │
    ┌ hero, before→after ──────┐┃                                            ┃│                                            │
    │HP 470→356  ATK 9  DEF 4  │┃                                            ┃│                                            │
    │MDEF 0  yellow keys 1     │┃                                            ┃│                                            │
    │ 1 Green Slime ×2      -24│┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛└────────────────────────────────────────────┘
    │ 2 Red Slime ×2        -56│┌ prompt, reasoning, answer ─────────────────────────────────────────────────────────── ↑2 ┐
    │ 3 Black Slime ×3      -55││100 tokens sent, 7 answered                                                               │
    │ 4 Slime Lord ×4      -114││── system ────────────────────────────────────────────────────────────────────────────────│
    │ 5 Bat ×2             -182││You play Magic Tower.                                                                     │
    │ B Boss ×1        too hard││── prompt ────────────────────────────────────────────────────────────────────────────────│
    │                          ││Choose.                                                                                   │
    │                          ││── reasoning ─────────────────────────────────────────────────────────────────────────────│
    │                          ││The door is near.                                                                         │
    │                          ││── answer ────────────────────────────────────────────────────────────────────────────────│
    │                          ││Hm, 魔塔。                                                                                │
    │                          ││                                                                                          │
    │                          ││Call 2 of 2 asks for an action again (re-ask 1): action 1                                 │
    │                          ││100 tokens sent, 7 answered                                                               │
    │                          ││── reasoning ─────────────────────────────────────────────────────────────────────────────│
    │                          ││The door is near.                                                                         │
    │                          ││── answer ────────────────────────────────────────────────────────────────────────────────│
    │                          ││{"action": 1}                                                                             │
    │                          ││                                                                                          │
    └──────────────────────────┘└──────────────────────────────────────────────────────────────────────────────────────────┘
    → next  ← back  x losing  v loss  tab pane  PgUp PgDn page  z zoom  s part  g G first, last  ? help  q quit
    "#);
}

#[test]
fn an_unfinished_episode_at_its_end() {
    let held = Held(vec![unfinished()]);
    let mut viewer = viewer(&held);
    press(&mut viewer, "G");
    insta::assert_snapshot!(shown(&mut viewer, 80, 24), @r"
    mine on hand01, repeat 0: not finished
    value here lost, optimum 21 HP, losing decision 2
    ┌ map ─────────────────────┐┏ decisions: value after, lost, marks ━━━━━━━━━━━━━┓
    │   0   2   4   6   8  10  │┃  1     6   -15 c   fight the Black Slime (5,4)   ┃
    │ 0 a · 4 ▒ · B · ▒ 4 · d  │┃  2  lost    -6 Xcf open the yellow door (6,8)    ┃
    │ 1 · a · ▒ · 6 · ▒ · p ·  │┃now  not finished                                 ┃
    │ 2 ▒ Y ▒▒▒▒▒ b ▒▒▒▒▒ Y ▒  │┃                                                  ┃
    │ 3 · 1 · ▒ · · · ▒ · 2 ·  │┃                                                  ┃
    │ 4 k · d ▒ · · · ▒ a · k  │┃                                                  ┃
    │ 5 ▒ 2 ▒▒▒ · · · ▒▒▒ 1 ▒  │┃                                                  ┃
    │ 6 a 2 · · ▒ · ▒ · · 1 ·  │┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    │ 7 · a ▒ · ▒ · ▒ · ▒ d ·  │┌ what could be done now ──────────────────────────┐
    │ 8 · · 5 · Y · @ · 3 · ·  ││  no. damage value  action                        │
    │ 9 ▒▒▒ · · ▒ · ▒ · · ▒▒▒  ││   1         lost  open the blue door (5,2)       │
    │10 p · k · ▒ · ▒ · · · ·  ││   2    -15  lost  fight the Black Slime (8,8)    │
    └──────────────────────────┘│                   blue gem (9,7): +1 DEF         │
    ┌ hero at the end ───── ↓5 ┐│   3    -60  lost  fight the Green Slime (9,6)    │
    │HP 460  ATK 9  DEF 4      ││                   blue gem (9,7): +1 DEF         │
    │MDEF 0  yellow keys 0     ││    -  yellow door (4,8): no yellow key           │
    │blue keys 1               ││                                                  │
    │ 1 Green Slime ×3      -60││                                                  │
    │ 2 Red Slime ×3       -140││                                                  │
    └──────────────────────────┘└──────────────────────────────────────────────────┘
    → next  ← back  x losing  v loss  tab pane  PgUp PgDn page  ? help  q quit
    ");
}

#[test]
fn keys_step_through_decisions() {
    let held = Held(vec![lost(), unfinished()]);
    let mut viewer = viewer(&held);
    let end = held.0[0].1.decisions.len();
    assert!(end > 3);
    for (keys, at) in [
        ("", 0),
        ("<", 0),
        (">", 1),
        ("l", 2),
        (" ", 3),
        ("j", 4),
        ("k", 3),
        ("h", 2),
        ("g", 0),
        ("G", end),
        (">", end),
        ("g", 0),
    ] {
        press(&mut viewer, keys);
        assert_eq!(viewer.at, at, "after {keys:?}");
    }
    press(&mut viewer, "n");
    assert_eq!((viewer.number, viewer.at, viewer.last()), (1, 0, 2));
    press(&mut viewer, "n");
    assert_eq!(viewer.number, 1, "there is no third");
    press(&mut viewer, "p");
    assert_eq!(viewer.number, 0);
    assert_eq!(viewer.handle(KeyCode::Char('q').into()), Then::Quit);
}

#[test]
fn keys_jump_to_what_cost_something() {
    let held = Held(vec![lost()]);
    let mut viewer = viewer(&held);
    let episode = viewer.episode.as_ref().expect("an episode");
    let (losing, losses) = (episode.losing().expect("a losing decision"), episode.losses());
    assert_eq!(losses.last(), Some(&losing), "nothing can be lost after the losing decision");
    press(&mut viewer, "G");
    press(&mut viewer, "x");
    assert_eq!(viewer.at, losing);
    press(&mut viewer, "G");
    for loss in losses.iter().rev() {
        press(&mut viewer, "V");
        assert_eq!(viewer.at, *loss);
    }
    press(&mut viewer, "V");
    assert_eq!(viewer.at, losses[0], "there is none before");
}

#[test]
fn tab_goes_round_the_panes_and_the_keys_scroll_them() {
    let held = Held(vec![lost(), unfinished()]);
    let mut viewer = viewer(&held);
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push(viewer.focus);
        press(&mut viewer, "\t");
    }
    assert_eq!(seen, [Part::Decisions, Part::Actions, Part::Talk, Part::Map, Part::Hero]);
    assert_eq!(viewer.focus, Part::Decisions);
    press(&mut viewer, "\t\t");
    let before = shown(&mut viewer, 80, 24);
    press(&mut viewer, "-");
    let after = shown(&mut viewer, 80, 24);
    assert_ne!(before, after);
    assert!(after.contains("Call 1 of 2"), "{after}");
    press(&mut viewer, "++++++++");
    let last = shown(&mut viewer, 80, 24);
    press(&mut viewer, "+");
    assert_eq!(shown(&mut viewer, 80, 24), last, "nothing comes after the last line");
    press(&mut viewer, "-");
    assert_ne!(shown(&mut viewer, 80, 24), last, "one page up is seen at once");
    press(&mut viewer, "n");
    assert_eq!(viewer.focus, Part::Decisions, "no model was asked in the second episode");
}

#[test]
fn values_that_are_not_known_are_said_to_be_so() {
    let held = Held(vec![lost()]);
    let mut viewer = viewer(&held);
    viewer.learn(Worth::Solving);
    assert!(shown(&mut viewer, 80, 24).contains("solving"));
    viewer.learn(Worth::Unknown("it is too large".into()));
    let shown = shown(&mut viewer, 80, 24);
    assert!(shown.contains("not known: it is too large") && !shown.contains("lost"), "{shown}");
    press(&mut viewer, ">xvV");
    assert_eq!(viewer.at, 1, "there is nowhere to jump to");
}

#[test]
fn a_trace_that_differs_from_the_rules_is_told_and_left() {
    let (game, mut trace) = lost();
    trace.decisions[1].after.hp += 1;
    let held = Held(vec![(game, trace), unfinished()]);
    let mut viewer = viewer(&held);
    let told = shown(&mut viewer, 80, 24);
    assert!(told.contains("cannot be shown") && told.contains("decision 2"), "{told}");
    press(&mut viewer, ">xvVsSz[]\t?q");
    press(&mut viewer, "n");
    assert!(shown(&mut viewer, 80, 24).contains("hand01"));
}

/// Everything that comes from outside says something nasty, and nothing of it reaches the terminal or moves a frame.
#[test]
fn hostile_text_is_only_text() {
    const NASTY: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\r\u{8}\u{202e}魔塔\u{200b}\u{fe0f}e\u{301}\u{301}👩‍👩‍👧\t\0";
    let (game, mut trace) = lost();
    let mut tower = (**game.tower()).clone();
    for monster in &mut tower.monsters {
        monster.name = NASTY.into();
    }
    let game = crate::game::Game::new(tower, game.items()).expect("a game");
    let calls = trace.calls.clone();
    trace = crate::screen::sample::trace(&game, |_| Some(1));
    trace.calls = calls;
    trace.header.key.agent = NASTY.into();
    trace.header.id = trace.header.key.id(&trace.header.floor_hash);
    if let Some(footer) = &mut trace.footer {
        footer.reason = Some(NASTY.repeat(3));
    }
    for call in &mut trace.calls {
        (call.content, call.reasoning) = (Some(NASTY.repeat(40)), Some(format!("{NASTY}\n{NASTY}")));
        (call.complaint, call.finish_reason) = (Some(NASTY.into()), Some(NASTY.into()));
        call.messages[1].content = NASTY.repeat(9).into();
    }
    let held = Held(vec![(game, trace)]);
    for (width, height) in [(80, 24), (120, 40), (200, 50), (64, 16), (40, 10), (3, 2)] {
        let mut viewer = viewer(&held);
        for keys in ["", "\t", "\t", "-", "\t", "z", "G"] {
            press(&mut viewer, keys);
            let buffer = drawn(&mut viewer, width, height);
            for cell in buffer.content() {
                let bad = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{200b}'..='\u{200f}');
                assert!(!cell.symbol().contains(bad), "{:?}", cell.symbol());
            }
            if width >= 64 {
                let text = shown(&mut viewer, width, height);
                let frames = text.lines().skip(2).take(usize::from(height) - 3);
                for line in frames {
                    assert!(line.starts_with(['┌', '│', '└', '┏', '┃', '┗']), "{line}");
                    assert!(line.ends_with(['┐', '│', '┘', '┓', '┃', '┛']), "{line}");
                    assert_eq!(crate::screen::clean::width(line), usize::from(width), "{line}");
                }
            }
        }
    }
}

#[test]
fn an_answer_of_a_megabyte_is_laid_out_once_and_fast() {
    let (game, mut trace) = lost();
    trace.calls[0].content = Some("x".repeat(1 << 20));
    trace.calls[0].verdict = Verdict::Unparsable;
    let held = Held(vec![(game, trace)]);
    let mut viewer = viewer(&held);
    let began = std::time::Instant::now();
    for _ in 0..20 {
        press(&mut viewer, "s");
        shown(&mut viewer, 120, 40);
    }
    assert!(began.elapsed().as_secs() < 5);
}

#[test]
fn without_colours_nothing_is_coloured() {
    let held = Held(vec![lost()]);
    let mut viewer = Viewer::new(&held, None, Palette::new(false));
    for cell in drawn(&mut viewer, 120, 40).content() {
        assert_eq!((cell.fg, cell.bg), (ratatui::style::Color::Reset, ratatui::style::Color::Reset));
    }
}

#[test]
fn any_size_is_drawn() {
    let held = Held(vec![lost(), unfinished()]);
    let mut viewer = viewer(&held);
    for focus in [Part::Decisions, Part::Actions, Part::Talk, Part::Map, Part::Hero] {
        viewer.focus = focus;
        for help in [None, Some(0), Some(1000)] {
            viewer.help = help;
            for (width, height) in (0..130).step_by(13).flat_map(|w| (0..50).step_by(7).map(move |h| (w, h))) {
                let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
                viewer.draw_all(buffer.area, &mut buffer);
            }
        }
    }
}
