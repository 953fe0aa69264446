//! What is understood of requests.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

fn told(ask: &str) -> String {
    match understand(ask, &Kinds::standard()) {
        Ok(request) => request.told.join("\n  "),
        Err(error) => format!("refused: {error}"),
    }
}

fn all(asks: &[&str]) -> String {
    asks.iter().map(|ask| format!("{ask}\n  {}\n", told(ask))).collect()
}

#[test]
fn words_are_understood() {
    insta::assert_snapshot!(all(&[
        "three floors",
        "giant, goes down into the flooded vaults",
        "two levels, easy",
        "four decks with a code",
        "a deep one with a forge and an armoury",
        "one floor",
        "three floors, goes down into the vaults, giant, hard, a flooded lock",
        "a tower",
        "Please make me a LARGE dungeon of 3 storeys; with two forges, and a guard-room!",
        "single-storey, tiny, very hard",
        "a two-level cellar with a locked door",
        "three small flooded floors",
        "20 rooms on two floors, difficulty level 5",
        "eight rooms a floor, three floors, difficulty: 3",
        "ten to twelve rooms",
        "at most 12 rooms, up to two floors",
        "two guard rooms and a reading room, climbs",
        "no code, without a crypt, not hard",
        "a pair of levels, and seven chambers on each floor",
        "several floors",
        "huge",
        "60 rooms",
        "medium size and medium difficulty", "the usual",
    ]), @r"
    three floors
      understood as: three floors, each above the one before; 18 to 21 rooms; difficulty 2 on floor 1
    giant, goes down into the flooded vaults
      understood as: two floors, each below the one before; 35 to 50 rooms, among them 1 vault; a flood before the boss; difficulty 2 on floor 1
    two levels, easy
      understood as: two floors, each above the one before; 12 to 14 rooms; difficulty 1 on floor 1
    four decks with a code
      understood as: four floors, each above the one before; 24 to 28 rooms; a code before the boss; difficulty 2 on floor 1
    a deep one with a forge and an armoury
      understood as: two floors, each below the one before; 12 to 14 rooms, among them 1 forge, 1 armoury; difficulty 2 on floor 1
    one floor
      understood as: one floor; 9 to 12 rooms; difficulty 2 on floor 1
    three floors, goes down into the vaults, giant, hard, a flooded lock
      understood as: three floors, each below the one before; 35 to 50 rooms, among them 1 vault; a flood before the boss; difficulty 4 on floor 1
    a tower
      understood as: one floor; 9 to 12 rooms; difficulty 2 on floor 1
    Please make me a LARGE dungeon of 3 storeys; with two forges, and a guard-room!
      understood as: three floors, each above the one before; 18 to 25 rooms, among them 2 forge, 1 guardroom; difficulty 2 on floor 1
    single-storey, tiny, very hard
      understood as: one floor; 6 to 8 rooms; difficulty 5 on floor 1
    a two-level cellar with a locked door
      understood as: two floors, each above the one before; 12 to 14 rooms, among them 1 store; a lock before the boss; difficulty 2 on floor 1
    three small flooded floors
      understood as: three floors, each above the one before; 18 rooms; a flood before the boss; difficulty 2 on floor 1
      `small`: a floor has 6 rooms at least; on three floors 18 are made
    20 rooms on two floors, difficulty level 5
      understood as: two floors, each above the one before; 20 rooms; difficulty 5 on floor 1
    eight rooms a floor, three floors, difficulty: 3
      understood as: three floors, each above the one before; 24 rooms; difficulty 3 on floor 1
    ten to twelve rooms
      understood as: one floor; 10 to 12 rooms; difficulty 2 on floor 1
    at most 12 rooms, up to two floors
      understood as: two floors, each above the one before; 12 rooms; difficulty 2 on floor 1
    two guard rooms and a reading room, climbs
      understood as: two floors, each above the one before; 12 to 14 rooms, among them 2 guardroom, 1 library; difficulty 2 on floor 1
    no code, without a crypt, not hard
      understood as: one floor; 9 to 12 rooms, none of them crypt; difficulty 2 on floor 1
      not understood: `not hard`
    a pair of levels, and seven chambers on each floor
      understood as: two floors, each above the one before; 14 rooms; difficulty 2 on floor 1
    several floors
      understood as: three floors, each above the one before; 18 to 21 rooms; difficulty 2 on floor 1
      `several floors`: three are made
    huge
      understood as: two floors, each above the one before; 35 to 50 rooms; difficulty 2 on floor 1
    60 rooms
      understood as: three floors, each above the one before; 60 rooms; difficulty 2 on floor 1
    medium size and medium difficulty
      understood as: one floor; 9 to 12 rooms; difficulty 3 on floor 1
    the usual
      understood as: one floor; 9 to 12 rooms; difficulty 2 on floor 1
    ");
}

#[test]
fn what_cannot_be_met_is_told() {
    insta::assert_snapshot!(all(&[
        "five floors",
        "six storeys, twenty rooms",
        "three floors, two levels",
        "two or three floors",
        "easy and hard",
        "small giant",
        "giant, 12 rooms",
        "goes up and descends",
        "a code, a flood and a lock",
        "a code, but no code",
        "a crypt and no crypt",
        "no crypt but a crypt",
        "one floor that goes down into the vaults",
        "one giant floor",
        "three floors, tiny",
        "2 rooms",
        "1000 rooms",
        "forty rooms a floor",
        "one floor with thirty forges",
        "eight rooms with ten crypts",
        "difficulty 9",
        "difficulty 0, two floors",
        "floors",
        "three floors with purple dragons, a swimming-pool and 2.5 wizards",
        "a b c d e f g h j k l n o p q r s t u v w x y z floor",
        "not three floors, not small",
        "on the third floor",
        "a large tower with a small forge, a huge hall and long rooms",
    ]), @r"
    five floors
      understood as: four floors, each above the one before; 24 to 28 rooms; difficulty 2 on floor 1
      `five floors`: at most four floors are made: four are made
    six storeys, twenty rooms
      understood as: four floors, each above the one before; 24 rooms; difficulty 2 on floor 1
      `six storeys`: at most four floors are made: four are made
      `twenty rooms`: a floor has 6 rooms at least; on four floors 24 are made
    three floors, two levels
      understood as: three floors, each above the one before; 18 to 21 rooms; difficulty 2 on floor 1
      `three floors` and `two levels` contradict each other; the first counts
    two or three floors
      understood as: two floors, each above the one before; 12 to 14 rooms; difficulty 2 on floor 1
      `two or three floors`: two are made
    easy and hard
      understood as: one floor; 9 to 12 rooms; difficulty 1 on floor 1
      `easy` and `hard` contradict each other; the first counts
    small giant
      understood as: one floor; 6 to 8 rooms; difficulty 2 on floor 1
      `small` and `giant` contradict each other; the first counts
    giant, 12 rooms
      understood as: one floor; 12 rooms; difficulty 2 on floor 1
      `giant` is 35 to 50 rooms, and `12 rooms` is said, too; the number counts
    goes up and descends
      understood as: two floors, each above the one before; 12 to 14 rooms; difficulty 2 on floor 1
      `goes up` and `descends` contradict each other; the first counts
    a code, a flood and a lock
      understood as: one floor; 9 to 12 rooms; a code before the boss; difficulty 2 on floor 1
      `code` and `flood`, `lock` contradict each other; the first counts
    a code, but no code
      understood as: one floor; 9 to 12 rooms; a code before the boss; difficulty 2 on floor 1
      `code` and `no code` contradict each other; the first counts
    a crypt and no crypt
      understood as: one floor; 9 to 12 rooms, among them 1 crypt; difficulty 2 on floor 1
      `no crypt`: it was said before that there is one; there is one
    no crypt but a crypt
      understood as: one floor; 9 to 12 rooms, none of them crypt; difficulty 2 on floor 1
      `crypt`: it was said before that there is none; there is none
    one floor that goes down into the vaults
      understood as: one floor; 9 to 12 rooms, among them 1 vault; difficulty 2 on floor 1
      one floor leads nowhere, so it does not lead down
    one giant floor
      understood as: one floor; 25 rooms; difficulty 2 on floor 1
      `giant`: a floor has 25 rooms at most; on one floor 25 are made
    three floors, tiny
      understood as: three floors, each above the one before; 18 rooms; difficulty 2 on floor 1
      `tiny`: a floor has 6 rooms at least; on three floors 18 are made
    2 rooms
      understood as: one floor; 6 rooms; difficulty 2 on floor 1
      `2 rooms`: a floor has 6 rooms at least; on one floor 6 are made
    1000 rooms
      understood as: four floors, each above the one before; 100 rooms; difficulty 2 on floor 1
      `1000 rooms`: a floor has 25 rooms at most; on four floors 100 are made
    forty rooms a floor
      understood as: one floor; 25 rooms; difficulty 2 on floor 1
      `forty rooms a floor`: a floor has 25 rooms at most; on one floor 25 are made
    one floor with thirty forges
      understood as: one floor; 25 rooms, among them 23 forge; difficulty 2 on floor 1
      23 rooms at most can be named on one floor; the first are made
    eight rooms with ten crypts
      understood as: one floor; 12 rooms, among them 10 crypt; difficulty 2 on floor 1
      `eight rooms`: the rooms that are named, each floor's first and its goal are more; on one floor 12 are made
    difficulty 9
      understood as: one floor; 9 to 12 rooms; difficulty 5 on floor 1
      `difficulty 9`: difficulties are 1 to 5; 5 is made
    difficulty 0, two floors
      understood as: two floors, each above the one before; 12 to 14 rooms; difficulty 1 on floor 1
      `difficulty 0`: difficulties are 1 to 5; 1 is made
    floors
      understood as: two floors, each above the one before; 12 to 14 rooms; difficulty 2 on floor 1
      how many floors is not said: two are made
    three floors with purple dragons, a swimming-pool and 2.5 wizards
      understood as: three floors, each above the one before; 18 to 21 rooms, among them 1 cistern; difficulty 2 on floor 1
      not understood: `purple`, `dragons`, `swimming`, `2.5`, `wizards`
    a b c d e f g h j k l n o p q r s t u v w x y z floor
      understood as: one floor; 9 to 12 rooms; difficulty 2 on floor 1
      not understood: `b`, `c`, `d`, `e`, `f`, `g`, `h`, `j`, `k`, `l`, `n`, `o` and 11 more
    not three floors, not small
      understood as: one floor; 9 to 12 rooms; difficulty 2 on floor 1
      not understood: `not three floors`, `not small`
    on the third floor
      refused: nothing was understood of `on the third floor`; what can be asked for: a number of floors (`three floors`, `goes down into`), a size (`small`, `large`, `giant`, `12 rooms`), rooms (`a forge and an armoury`), a code, a flood or a lock, and a difficulty (`easy`, `hard`, `difficulty 4`)
    a large tower with a small forge, a huge hall and long rooms
      understood as: one floor; 18 to 25 rooms, among them 1 forge, 1 hall; difficulty 2 on floor 1
      `small`: sizes of rooms are not read from words; a description says them
      `huge`: sizes of rooms are not read from words; a description says them
      `long`: sizes of rooms are not read from words; a description says them
    ");
}

#[test]
fn what_cannot_be_met_at_all_is_refused() {
    let long = "floor ".repeat(200);
    insta::assert_snapshot!(all(&[
        "nine floors", "zero rooms", "no floors", "0 floors", "-3 floors", "no rooms at all", "", " \n\t", "?!,", "asdf qwer",
        "surprise me", "without any levels", "99999999999999999999999999 decks", "塔", "one",
    ]), @r"
    nine floors
      refused: `nine floors` asks for too many floors; one to six can be asked for, of which at most four are made
    zero rooms
      refused: `zero rooms` asks for no room; a floor has 6 to 25 of them
    no floors
      refused: `no floors` asks for no floor; a tower has at least one, and one to six can be asked for
    0 floors
      refused: `0 floors` asks for no floor; a tower has at least one, and one to six can be asked for
    -3 floors
      refused: `-3 floors` asks for no floor; a tower has at least one, and one to six can be asked for
    no rooms at all
      refused: `no rooms` asks for no room; a floor has 6 to 25 of them

      refused: nothing is asked for; what can be asked for: a number of floors (`three floors`, `goes down into`), a size (`small`, `large`, `giant`, `12 rooms`), rooms (`a forge and an armoury`), a code, a flood or a lock, and a difficulty (`easy`, `hard`, `difficulty 4`)
     
    	
      refused: nothing is asked for; what can be asked for: a number of floors (`three floors`, `goes down into`), a size (`small`, `large`, `giant`, `12 rooms`), rooms (`a forge and an armoury`), a code, a flood or a lock, and a difficulty (`easy`, `hard`, `difficulty 4`)
    ?!,
      refused: nothing was understood of `?!,`; what can be asked for: a number of floors (`three floors`, `goes down into`), a size (`small`, `large`, `giant`, `12 rooms`), rooms (`a forge and an armoury`), a code, a flood or a lock, and a difficulty (`easy`, `hard`, `difficulty 4`)
    asdf qwer
      refused: nothing was understood of `asdf qwer`; what can be asked for: a number of floors (`three floors`, `goes down into`), a size (`small`, `large`, `giant`, `12 rooms`), rooms (`a forge and an armoury`), a code, a flood or a lock, and a difficulty (`easy`, `hard`, `difficulty 4`)
    surprise me
      refused: nothing was understood of `surprise me`; what can be asked for: a number of floors (`three floors`, `goes down into`), a size (`small`, `large`, `giant`, `12 rooms`), rooms (`a forge and an armoury`), a code, a flood or a lock, and a difficulty (`easy`, `hard`, `difficulty 4`)
    without any levels
      refused: `without any levels` asks for no floor; a tower has at least one, and one to six can be asked for
    99999999999999999999999999 decks
      refused: `99999999999999999999999999 decks` asks for too many floors; one to six can be asked for, of which at most four are made
    塔
      refused: nothing was understood of `塔`; what can be asked for: a number of floors (`three floors`, `goes down into`), a size (`small`, `large`, `giant`, `12 rooms`), rooms (`a forge and an armoury`), a code, a flood or a lock, and a difficulty (`easy`, `hard`, `difficulty 4`)
    one
      refused: nothing was understood of `one`; what can be asked for: a number of floors (`three floors`, `goes down into`), a size (`small`, `large`, `giant`, `12 rooms`), rooms (`a forge and an armoury`), a code, a flood or a lock, and a difficulty (`easy`, `hard`, `difficulty 4`)
    ");
    assert_eq!(understand(&long, &Kinds::standard()), Err(AskError::TooLong(1200)));
}

#[test]
fn neither_case_nor_punctuation_nor_space_matters() {
    let kinds = Kinds::standard();
    let of = |ask: &str| Request { ask: String::new(), ..understand(ask, &kinds).unwrap() };
    let plain = of("three floors, hard, with a forge and a code");
    for ask in [
        "Three Floors, Hard, With A Forge And A Code",
        "three floors; hard; with a forge and a code!",
        "  three\n floors,\thard,with a 'forge' and a code ",
        "THREE-FLOORS (hard) — with a forge and a code...",
    ] {
        assert_eq!(of(ask), plain, "{ask}");
    }
}

#[test]
fn no_word_has_two_meanings() {
    let mut seen = std::collections::BTreeSet::new();
    for phrase in LEXICON.iter().flat_map(|(_, _, phrases)| phrases.iter()) {
        assert!(seen.insert(phrase), "{phrase}");
        assert_eq!(super::token::tokens(phrase).len(), phrase.split(' ').count(), "{phrase}");
    }
}

#[test]
fn every_kind_is_understood_by_each_of_its_words() {
    let kinds = Kinds::standard();
    for kind in &kinds.kinds {
        for word in &kind.words {
            let request = understand(&format!("a {word}"), &kinds).unwrap();
            match LEXICON.iter().any(|(_, _, phrases)| phrases.contains(&word.as_str())) {
                true => assert!(request.named.is_empty(), "{word}"),
                false => assert_eq!(request.named, [kind.name.as_str()], "{word}"),
            }
        }
    }
}

/// Requests of words that mean something, in any order, and others.
fn asks() -> impl Strategy<Value = String> {
    let words: Vec<&str> = "three 3 nine zero -1 one floors floor rooms room a per each giant small easy hard very deep up down \
        goes into code flood flooded lock no not without forge forges vaults guard difficulty 7 level to or , . - and with \
        several pair of the couple single dozen twenty hundred 99999999999999999999 at most"
        .split_whitespace()
        .collect();
    prop::collection::vec(prop::sample::select(words), 0..14).prop_map(|words| words.join(" "))
}

fn sound(ask: &str) {
    static KINDS: LazyLock<Kinds> = LazyLock::new(Kinds::standard);
    let kinds = &*KINDS;
    let Ok(request) = understand(ask, kinds) else { return };
    let (floors, (least, most)) = (u16::from(request.floors), request.rooms);
    assert!((1..=4).contains(&floors), "{ask}: {request:?}");
    assert!(LEAST_ROOMS * floors <= least && least <= most && most <= MOST_ROOMS * floors, "{ask}: {request:?}");
    assert!((1..=5).contains(&request.difficulty), "{ask}: {request:?}");
    assert!(!request.descends || floors > 1, "{ask}: {request:?}");
    assert!(request.named.len() <= usize::from(least - 2 * floors), "{ask}: {request:?}");
    assert!(request.named.iter().chain(&request.unwanted).all(|kind| kinds.named(kind).is_some()));
    assert!(request.told.iter().all(|line| !line.contains(|c: char| c.is_control())), "{:?}", request.told);
    assert_eq!(understand(ask, kinds), Ok(request));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_request_of_known_words_is_met_or_refused(ask in asks()) {
        sound(&ask);
    }

    #[test]
    fn any_text_is_understood_or_refused(ask in "\\PC{0,60}", other in any::<String>()) {
        sound(&ask);
        sound(&other);
        sound(&format!("two floors {ask}"));
        sound(&format!("{other} 3 rooms"));
    }
}
