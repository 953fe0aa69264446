//! The table of kinds, and what is wrong with others.

use super::*;

#[test]
fn the_standard_table_has_sixteen_rows() {
    let kinds = Kinds::read(STANDARD, "floors/kinds.toml").unwrap();
    assert_eq!(kinds, Kinds::standard());
    insta::assert_snapshot!(kinds.names().join(" "), @"forge armoury laboratory library chapel crypt cistern vault kitchen ward cells barracks guardroom store landing hall");
    assert_eq!(kinds.kinds.len(), 16);
    assert!(kinds.kinds.iter().all(|kind| kind.words.contains(&kind.name)));
    assert!(kinds.kinds.iter().all(|kind| kind.items().len() == kind.holds.len()));
}

#[test]
fn items_are_named_as_the_game_names_them() {
    for (name, item) in ITEMS {
        assert_eq!((item.to_string().as_str(), item_named(name)), (name, Some(item)));
    }
    assert_eq!(item_named("green gem"), None);
}

#[test]
fn a_room_has_the_kind_that_it_names_or_that_its_words_say() {
    let kinds = Kinds::standard();
    for (named, note, name, expected) in [
        (Some("crypt"), "a kitchen with a long table", "Forge", "crypt"),
        (None, "A KITCHEN, with a long table.", "Forge", "kitchen"),
        (None, "", "Old Forge", "forge"),
        (None, "nothing of note", "The smith's place", "hall"),
        (None, "where the smith sleeps", "Hall", "forge"),
        // Of several words the one of the first row counts, wherever it stands.
        (None, "a hall beside the forge", "", "forge"),
        (None, "the flooded vaults", "", "cistern"),
        (None, "the guard-room", "", "guardroom"),
        (None, "the Strong\nRoom", "", "vault"),
        // Whole words only.
        (None, "forged halls of the wardens", "Hall", "hall"),
        (None, "stored", "rewarding", "hall"),
        (None, "", "", "hall"),
    ] {
        let kind = kinds.of(named, note, name).unwrap();
        assert_eq!(kind.name, expected, "{named:?} {note:?} {name:?}");
    }
    let told = kinds.of(Some("kitchn"), "", "").unwrap_err().to_string();
    assert!(told.starts_with("there is no kind `kitchn`; the kinds are: forge, armoury"), "{told}");
    assert_eq!(Kinds { kinds: Vec::new() }.of(None, "", ""), Err(KindsError::Rows(0)));
}

#[test]
fn what_is_wrong_with_a_table_is_told() {
    let row = "[[kind]]\nname = \"hall\"\nwords = [\"hall\"]\nmonsters = 1.0\ncache = 0.5\nholds = [\"sword\"]\nplate = 0.0\nlight = 5\npotions = 1.0\n";
    assert!(Kinds::read(row, "k.toml").is_ok());
    let changed = |from: &str, to: &str| Kinds::read(&row.replacen(from, to, 1), "k.toml").unwrap_err().to_string();
    let mut told = vec![
        Kinds::read("kind = []", "k.toml").unwrap_err().to_string(),
        Kinds::read(&row.repeat(2), "k.toml").unwrap_err().to_string(),
        Kinds::read(&(row.to_owned() + &row.replacen("hall", "cave", 1)), "k.toml").unwrap_err().to_string(),
    ];
    for (from, to) in [
        ("name = \"hall\"", "name = \"\""),
        ("words = [\"hall\"]", "words = [\"Hall\"]"),
        ("monsters = 1.0", "monsters = 2.5"),
        ("monsters = 1.0", "monsters = nan"),
        ("cache = 0.5", "cache = -0.1"),
        ("light = 5", "light = 2"),
        ("[\"sword\"]", "[\"swords\"]"),
        ("[\"sword\"]", "[]"),
        ("light", "lights"),
        ("plate = 0.0\n", ""),
    ] {
        told.push(changed(from, to));
    }
    insta::assert_snapshot!(told.join("\n"), @r"
    the table of kinds has 0 rows; write 1 to 64 tables [[kind]]
    there are two kinds `hall`; give one of them another name
    the word `hall` of the kind `cave` stands in the kind `hall`, too, which comes first; leave one out
    the kind ``: `` is no name; write 1 to 30 small letters, digits, spaces and `-`
    the kind `hall`: `Hall` is no word; write 1 to 30 small letters, digits, spaces and `-`
    the kind `hall`: `monsters` must be from 0 to 2, not 2.5
    the kind `hall`: `monsters` must be from 0 to 2, not NaN
    the kind `hall`: `cache` must be from 0 to 1, not -0.1
    the kind `hall`: `light` must be from 3 to 10, not 2
    the kind `hall` holds `swords`, which is no item of these: yellow key, blue key, red gem, blue gem, red potion, blue potion, sword, shield
    the kind `hall` has caches, but `holds` lists nothing to put into them
    k.toml: TOML parse error at line 8, column 1
      |
    8 | lights = 5
      | ^^^^^^
    unknown field `lights`, expected one of `name`, `words`, `monsters`, `cache`, `holds`, `plate`, `light`, `potions`
    k.toml: TOML parse error at line 1, column 1
      |
    1 | [[kind]]
      | ^^^^^^^^
    missing field `plate`
    ");
}
