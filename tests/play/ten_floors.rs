//! A tower of many small floors from a seed: on each a few monsters, doors, keys, gems and potions around the way from
//! stair to stair. Larger than what can be tried through, small enough that plain searches end.

use mota::game::{
    Abilities, Colour, Floor, Gem, Hero, Item, ItemValues, Monster, Position, Potion, Rules, StairWay, Tile, Tower,
};

/// Numbers that follow from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

fn monster_row(symbol: String, [hp, atk, def]: [i64; 3], boss: bool) -> Monster {
    let name = format!("Monster {symbol}");
    Monster { symbol, name, hp, atk, def, gold: 0, experience: 0, abilities: Abilities::none(), boss }
}

/// A tower of `floors` floors, with `side` side rooms on each.
pub fn ten_floors(seed: u64, floors: u16, side: u16) -> Tower {
    let mut numbers = Numbers(seed);
    let kinds = 6;
    let mut monsters: Vec<Monster> = (0..kinds)
        .map(|index: i64| {
            let hp = 20 + 14 * index + numbers.below(15) as i64;
            let atk = 12 + 4 * index + numbers.below(4) as i64;
            monster_row((index + 1).to_string(), [hp, atk, 1 + index + numbers.below(3) as i64], false)
        })
        .collect();
    monsters.push(monster_row("B".into(), [150, 40, 10], true));
    // A corridor along the middle row; side rooms of one tile above and below it, each behind a monster or a door.
    let width = usize::from(2 * side + 3);
    let mut rows_of = Vec::new();
    for floor in 0..floors {
        let mut rows = vec![vec![Tile::Wall; width]; 5];
        rows[2] = vec![Tile::Floor; width];
        let monster = |numbers: &mut Numbers| {
            let level = (u64::from(floor) * kinds as u64 / u64::from(floors)).min(kinds as u64 - 1);
            Tile::Monster((level + numbers.below(2)).min(kinds as u64 - 1) as u16)
        };
        for room in 0..usize::from(side) {
            let x = 2 * room + 1;
            for (guard, inner) in [(1, 0), (3, 4)] {
                rows[guard][x] = if numbers.below(3) == 0 { Tile::Door(Colour::Yellow) } else { monster(&mut numbers) };
                rows[inner][x] = Tile::Item(match numbers.below(6) {
                    0 => Item::Gem(Gem::Red),
                    1 => Item::Gem(Gem::Blue),
                    2 | 3 => Item::Key(Colour::Yellow),
                    _ => Item::Potion(Potion::Red),
                });
            }
        }
        // On the way on: a monster in the middle, and a door on every fourth floor.
        rows[2][width / 2] = monster(&mut numbers);
        if floor % 4 == 3 {
            rows[2][width - 2] = Tile::Door(Colour::Yellow);
        }
        if floor > 0 {
            rows[2][0] = Tile::Stair(StairWay::Down);
        }
        rows[2][width - 1] = if floor + 1 < floors { Tile::Stair(StairWay::Up) } else { Tile::Monster(kinds as u16) };
        rows_of.push(rows);
    }
    let floors: Vec<Floor> =
        rows_of.into_iter().map(|rows| Floor::from_rows(String::new(), rows).expect("a rectangle")).collect();
    Tower {
        name: format!("floors-{seed}"),
        title: "Many small floors".into(),
        rules: Rules::default(),
        hero: Hero { hp: 4_000, atk: 18, def: 12, ..Hero::default() },
        start: Position::new(0, 0, 2),
        items: ItemValues { red_gem: 2, blue_gem: 2, red_potion: 60, ..ItemValues::default() },
        monsters,
        stairs: Tower::stairs_by_rule(&floors),
        floors,
        ..Tower::default()
    }
}
