//! Where the panes stand: side by side where there is room, one above the other where there is little, one alone where
//! there is next to none. Knows nothing of what they show.

use ratatui::layout::Rect;

/// What a pane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The map.
    Map,
    /// The hero before and after.
    Hero,
    /// The decisions of the episode.
    Decisions,
    /// The actions of the selected decision, or to choose from.
    Actions,
    /// What was said to a model, and what it answered.
    Talk,
}

/// What decides where the panes stand.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Columns and rows that the map needs.
    pub map: (u16, u16),
    /// The pane that the keys go to.
    pub focus: Part,
    /// Whether it has the screen to itself.
    pub alone: bool,
    /// Whether there is a pane for what was said.
    pub talk: bool,
    /// Whether somebody plays, so that the actions come first.
    pub plays: bool,
}

/// Rows that the hero needs at the least; what the map leaves is his.
const HERO: u16 = 5;

/// Below this, one pane is shown alone.
const LEAST: (u16, u16) = (64, 16);

/// The panes that are shown and where.
pub fn parts(body: Rect, wish: Wish) -> Vec<(Part, Rect)> {
    if wish.alone || body.width < LEAST.0 || body.height < LEAST.1 {
        return vec![(wish.focus, body)];
    }
    let left = wish.map.0.clamp(28, body.width * 9 / 20);
    let map = wish.map.1.clamp(6, body.height - HERO);
    let (column, rest) = beside(body, left);
    let (map, hero) = above(column, map);
    let mut parts = vec![(Part::Map, map), (Part::Hero, hero)];
    let (first, second) = if wish.plays { (Part::Actions, Part::Decisions) } else { (Part::Decisions, Part::Actions) };
    match (wish.talk, rest.width) {
        (true, 0..64) if wish.focus == Part::Talk => parts.push((Part::Talk, rest)),
        (true, 110..) => {
            let (lists, talk) = beside(rest, rest.width * 2 / 5);
            parts.extend(stacked(lists, first, second, wish.plays));
            parts.push((Part::Talk, talk));
        }
        (true, 64..) => {
            let (lists, talk) = above(rest, rest.height / 2);
            let (one, other) = beside(lists, lists.width / 2);
            parts.extend([(first, one), (second, other), (Part::Talk, talk)]);
        }
        (false, 100..) => {
            let (one, other) = beside(rest, rest.width / 2);
            parts.extend([(first, one), (second, other)]);
        }
        _ => parts.extend(stacked(rest, first, second, wish.plays)),
    }
    parts
}

fn stacked(area: Rect, first: Part, second: Part, plays: bool) -> [(Part, Rect); 2] {
    let (one, other) = above(area, if plays { area.height * 3 / 5 } else { area.height * 9 / 20 });
    [(first, one), (second, other)]
}

/// An area in two, the left one so wide.
fn beside(area: Rect, width: u16) -> (Rect, Rect) {
    let width = width.min(area.width);
    (Rect { width, ..area }, Rect { x: area.x + width, width: area.width - width, ..area })
}

/// An area in two, the upper one so high.
fn above(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    (Rect { height, ..area }, Rect { y: area.y + height, height: area.height - height, ..area })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn panes_fill_the_body_and_never_overlap(
            width in 1_u16..300, height in 1_u16..100, map in (1_u16..200, 1_u16..100),
            focus in 0_usize..5, alone: bool, talk: bool, plays: bool,
        ) {
            let focus = [Part::Map, Part::Hero, Part::Decisions, Part::Actions, Part::Talk][focus];
            let body = Rect::new(0, 2, width, height);
            let parts = parts(body, Wish { map, focus, alone, talk, plays });
            let mut covered = vec![0; usize::from(width) * usize::from(height)];
            for (_, area) in &parts {
                prop_assert!(body.union(*area) == body, "{area:?} in {body:?}");
                for position in area.positions() {
                    covered[usize::from(position.y - 2) * usize::from(width) + usize::from(position.x)] += 1;
                }
            }
            prop_assert!(covered.iter().all(|count| *count == 1), "{parts:?}");
        }
    }
}
