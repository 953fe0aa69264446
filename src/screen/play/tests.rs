//! What a game shows, and what keys do to it.

use std::path::Path;

use super::*;
use crate::eval::floor::BatchFloor;
use crate::eval::trace::Trace;
use crate::format;
use crate::game::ItemMode;
use crate::screen::sample::{press, shown};

fn games(folder: &Path, floor: &str) -> HumanGames {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors").join(format!("{floor}.toml"));
    let tower = format::read_tower(&path).expect("a floor");
    let floor = BatchFloor::new(tower, path, ItemMode::Auto).expect("a playable floor");
    HumanGames::open(folder, "me", floor, ItemMode::Auto).expect("a folder")
}

/// Waits until the values are known.
fn know(play: &mut Play<'_>) {
    while !play.look().expect("no error") && play.known.known().is_none() {}
}

fn stored(folder: &Path, play: &Play<'_>) -> Trace {
    Trace::read(&crate::eval::store::trace_path(folder, &play.game().trace().header.id)).expect("a trace")
}

#[test]
fn a_game_at_its_start_and_with_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut games = games(folder.path(), "hand01");
    let mut play = Play::new(&mut games, Palette::new(true)).expect("a game");
    know(&mut play);
    insta::assert_snapshot!(shown(&mut play, 80, 24), @r"
    hand01, game 1 of me: decision 1
    v shows the state values
    ┌ map ─────────────────────┐┏ choose an action ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    │   0   2   4   6   8  10  │┃  no. damage  action                              ┃
    │ 0 a · 4 ▒ · B · ▒ 4 · d  │┃>  1         open the yellow door (4,8)           ┃
    │ 1 · a · ▒ · 6 · ▒ · p ·  │┃             HP 475 after, red potion (0,10): +75 ┃
    │ 2 ▒ Y ▒▒▒▒▒ b ▒▒▒▒▒ Y ▒  │┃             HP, yellow key (2,10): +1 yellow key ┃
    │ 3 · 1 · ▒ · · · ▒ · 2 ·  │┃   2    -15  fight the Black Slime (5,4)          ┃
    │ 4 k · d ▒ · 3 · ▒ a · k  │┃             HP 385 after                         ┃
    │ 5 ▒ 2 ▒▒▒ · · · ▒▒▒ 1 ▒  │┃   3         open the yellow door (6,8)           ┃
    │ 6 a 2 · · ▒ · ▒ · · 1 ·  │┃             HP 475 after, blue key (8,10): +1    ┃
    │ 7 · a ▒ · ▒ · ▒ · ▒ d ·  │┃             blue key, red potion (10,10): +75 HP ┃
    │ 8 · · 5 ·[Y]· Y · 3 · ·  │┃    -  blue door (5,2): no blue key               ┃
    │ 9 ▒▒▒ · · ▒ · ▒ · · ▒▒▒  │┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    │10 p · k · ▒ @ ▒ · K · p  │┌ decisions ───────────────────────────────────────┐
    └──────────────────────────┘│now  not finished                                 │
    ┌ hero, now→after 1 ─── ↓4 ┐│                                                  │
    │HP 400→475  ATK 9  DEF 4  ││                                                  │
    │MDEF 0  yellow keys 1     ││                                                  │
    │ 1 Green Slime ×3      -60││                                                  │
    │ 2 Red Slime ×3       -140││                                                  │
    │ 3 Black Slime ×2      -15││                                                  │
    └──────────────────────────┘└──────────────────────────────────────────────────┘
    ↑ ↓ select  Enter do it  u undo  v values  n new game  ? help  q quit
    ");
    press(&mut play, "v2");
    insta::assert_snapshot!(shown(&mut play, 120, 40), @r"
    hand01, game 1 of me: decision 1
    value here 21 HP, optimum 21 HP
    ┌ map ─────────────────────┐┏ choose an action ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    │   0   2   4   6   8  10  │┃  no. damage value  action                                                                ┃
    │ 0 a · 4 ▒ · B · ▒ 4 · d  │┃   1          =21  open the yellow door (4,8)                                             ┃
    │ 1 · a · ▒ · 6 · ▒ · p ·  │┃                   HP 475 after, red potion (0,10): +75 HP, yellow key (2,10): +1 yellow  ┃
    │ 2 ▒ Y ▒▒▒▒▒ b ▒▒▒▒▒ Y ▒  │┃                   key                                                                    ┃
    │ 3 · 1 · ▒ · · · ▒ · 2 ·  │┃>  2    -15     6  fight the Black Slime (5,4)                                            ┃
    │ 4 k · d ▒ ·[3]· ▒ a · k  │┃                   HP 385 after                                                           ┃
    │ 5 ▒ 2 ▒▒▒ · · · ▒▒▒ 1 ▒  │┃   3         lost  open the yellow door (6,8)                                             ┃
    │ 6 a 2 · · ▒ · ▒ · · 1 ·  │┃                   HP 475 after, blue key (8,10): +1 blue key, red potion (10,10): +75 HP ┃
    │ 7 · a ▒ · ▒ · ▒ · ▒ d ·  │┃    -  blue door (5,2): no blue key                                                       ┃
    │ 8 · · 5 · Y · Y · 3 · ·  │┃                                                                                          ┃
    │ 9 ▒▒▒ · · ▒ · ▒ · · ▒▒▒  │┃                                                                                          ┃
    │10 p · k · ▒ @ ▒ · K · p  │┃                                                                                          ┃
    └──────────────────────────┘┃                                                                                          ┃
    ┌ hero, now→after 2 ───────┐┃                                                                                          ┃
    │HP 400→385  ATK 9  DEF 4  │┃                                                                                          ┃
    │MDEF 0  yellow keys 1     │┃                                                                                          ┃
    │ 1 Green Slime ×3      -60│┃                                                                                          ┃
    │ 2 Red Slime ×3       -140│┃                                                                                          ┃
    │ 3 Black Slime ×2      -15│┃                                                                                          ┃
    │ 4 Slime Lord ×2    lethal│┃                                                                                          ┃
    │ 5 Bat ×1              -90│┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    │ 6 Big Bat ×1       lethal│┌ decisions: value after, lost, marks ─────────────────────────────────────────────────────┐
    │ B Boss ×1          lethal││now  not finished                                                                         │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    │                          ││                                                                                          │
    └──────────────────────────┘└──────────────────────────────────────────────────────────────────────────────────────────┘
    ↑ ↓ select  Enter do it  u undo  v values  n new game  tab pane  z zoom  ? help  q quit
    ");
}

#[test]
fn what_is_taken_back_and_shown_is_written_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut games = games(folder.path(), "simple");
    let mut play = Play::new(&mut games, Palette::new(true)).expect("a game");
    know(&mut play);
    press(&mut play, "2\n1\n");
    assert_eq!(stored(folder.path(), &play).decisions.len(), 2);
    press(&mut play, "uu");
    let pending = stored(folder.path(), &play);
    assert!(pending.decisions.is_empty());
    let taken_back = pending.pending.expect("what was taken back").taken_back;
    assert_eq!(taken_back.iter().map(|back| (back.turn, back.executed)).collect::<Vec<_>>(), [(2, 1), (1, 2)]);
    press(&mut play, "v");
    know(&mut play);
    press(&mut play, "v1\n");
    let written = stored(folder.path(), &play);
    assert_eq!((written.decisions[0].taken_back.len(), written.decisions[0].hints), (2, true));
    press(&mut play, "1\n");
    let written = stored(folder.path(), &play);
    assert_eq!(
        (written.decisions[1].taken_back.len(), written.decisions[1].hints, written.taken_back()),
        (0, false, 2)
    );
    crate::eval::replay::replay(play.game().rules(), &written).expect("what the rules give");
    press(&mut play, "uuuu");
    assert_eq!(play.episode.end(), 0, "the start is as far as it goes back");
    crate::eval::replay::replay(play.game().rules(), &stored(folder.path(), &play)).expect("what the rules give");
}

#[test]
fn a_lost_game_is_told_and_can_be_gone_back_from() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut games = games(folder.path(), "simple");
    let mut play = Play::new(&mut games, Palette::new(true)).expect("a game");
    for _ in 0..60 {
        press(&mut play, "1\n");
    }
    know(&mut play);
    assert!(play.game().ending().is_some());
    let told = shown(&mut play, 80, 24);
    assert!(told.contains("the losing decision") && told.contains("13 HP"), "{told}");
    let losing = play.episode.losing().expect("a losing decision");
    press(&mut play, "b");
    assert_eq!((play.episode.end(), play.game().ending()), (losing, None));
    press(&mut play, "2\n");
    assert!(stored(folder.path(), &play).decisions[losing].hints, "the end had told what was best");
    press(&mut play, "n");
    assert!(shown(&mut play, 80, 24).contains("n again"));
    press(&mut play, "jn");
    assert_eq!(play.game().trace().header.key.repeat, 0, "another key between them takes it back");
    press(&mut play, "n");
    assert_eq!((play.game().trace().header.key.repeat, play.episode.end()), (1, 0));
    drop(play);
    let mut play = Play::new(&mut games, Palette::new(true)).expect("a game");
    assert_eq!(play.game().trace().header.key.repeat, 1, "the unfinished game is gone on with");
    press(&mut play, "n");
    assert_eq!(play.game().trace().header.key.repeat, 1, "a game without decisions is as good as a new one");
}

#[test]
fn the_cursor_follows_digits_and_arrows() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut games = games(folder.path(), "complex");
    let mut play = Play::new(&mut games, Palette::new(true)).expect("a game");
    let most = play.episode.actions.len() as u32;
    assert!((4..10).contains(&most), "{most}");
    for (keys, cursor) in
        [("j", 2), ("k", 1), ("k", 1), ("3", 3), ("2", 2), ("0", 2), (">", 3), ("<", 2), ("jjjjjjjjjjjj", most)]
    {
        press(&mut play, keys);
        assert_eq!(play.cursor, cursor, "after {keys:?}");
    }
    // On the map, the nearest action in that direction.
    press(&mut play, "1\t>");
    let (first, next) = (play.episode.actions[0].target, play.action().expect("an action").target);
    assert!(next.x > first.x, "{next} is right of {first}");
    press(&mut play, "<");
    assert!(play.action().expect("an action").target.x < next.x);
}

#[test]
fn any_size_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut games = games(folder.path(), "hand03");
    let mut play = Play::new(&mut games, Palette::new(false)).expect("a game");
    for _ in 0..4 {
        press(&mut play, "\t+++---");
        for (width, height) in (0..130).step_by(13).flat_map(|w| (0..50).step_by(7).map(move |h| (w, h))) {
            let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
            play.draw_all(buffer.area, &mut buffer);
        }
    }
}
