//! What can be seen from where on a floor. Knows nothing of what is looked at, nor why.

use super::position::Position;
use super::tile::Tile;

/// Whether a tile hides what lies behind it: walls, doors, and whoever stands in the way. Items, stairs, shops and events
/// hide nothing.
pub fn hides(tile: Tile) -> bool {
    matches!(tile, Tile::Wall | Tile::Door(_) | Tile::Gate(_) | Tile::Monster(_) | Tile::Figure)
}

/// Whether one square sees another of its floor: the straight line between their middles crosses no square that hides
/// what lies behind it, and never goes between two such squares that meet at a corner. The ends themselves hide nothing.
/// Who sees is seen. `hides` is asked of columns and rows between the two.
pub fn sees(one: Position, other: Position, hides: impl Fn(u16, u16) -> bool) -> bool {
    if one.floor != other.floor {
        return false;
    }
    // Always from the same end, so that sight goes both ways.
    let (from, to) = (one.min(other), one.max(other));
    let (across, down) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let (step_x, step_y) = (across.signum(), down.signum());
    let (across, down) = (across.abs(), down.abs());
    let blocked = |x: i64, y: i64| match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) if Position::new(from.floor, x, y) != to => hides(x, y),
        _ => false,
    };
    let (mut x, mut y) = (i64::from(from.x), i64::from(from.y));
    // How many borders of columns and of rows have been crossed; the next of each lies at (2n + 1) halves.
    let (mut columns, mut rows) = (0, 0);
    while columns < across || rows < down {
        let (next_column, next_row) = ((2 * columns + 1) * down, (2 * rows + 1) * across);
        let (to_column, to_row) = (next_column <= next_row && columns < across, next_row <= next_column && rows < down);
        if to_column && to_row && blocked(x + step_x, y) && blocked(x, y + step_y) {
            return false;
        }
        if to_column {
            x += step_x;
            columns += 1;
        }
        if to_row {
            y += step_y;
            rows += 1;
        }
        if blocked(x, y) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the `@` of a map sees, `*` a square that it sees, `#` what hides.
    fn seen(map: &str) -> String {
        let rows: Vec<Vec<char>> = map.lines().map(|row| row.chars().collect()).collect();
        let at = |x: usize, y: usize| Position::new(0, x as u16, y as u16);
        let start = (0..rows.len()).flat_map(|y| (0..rows[y].len()).map(move |x| (x, y)));
        let (x, y) = start.clone().find(|(x, y)| rows[*y][*x] == '@').unwrap();
        let hides = |x: u16, y: u16| rows[usize::from(y)][usize::from(x)] == '#';
        let mut shown = rows.clone();
        for (other_x, other_y) in start {
            let sees = sees(at(x, y), at(other_x, other_y), hides);
            assert_eq!(sees, super::sees(at(other_x, other_y), at(x, y), hides));
            if sees && shown[other_y][other_x] == '.' {
                shown[other_y][other_x] = '*';
            }
        }
        shown.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    #[test]
    fn walls_hide_what_lies_behind_them_and_corners_that_meet_do_too() {
        assert_eq!(seen("....\n.@..\n....\n"), "****\n*@**\n****\n");
        assert_eq!(seen("@#..\n....\n.#..\n"), "@#..\n**..\n*#*.\n");
        assert_eq!(seen("@#.\n#..\n...\n"), "@#.\n#..\n...\n");
        assert_eq!(seen("#####\n@...#\n###.#\n###.#\n"), "#####\n@***#\n###.#\n###.#\n");
        assert!(!sees(Position::new(0, 1, 1), Position::new(1, 1, 1), |_, _| false));
    }
}
