//! The published solver's picture of a tower: a graph of nodes, in which neighbours that offer no choice are merged
//! (section B.2.1). Knows what stands where; knows nothing of fights, keys held or search.
//!
//! Two nodes are linked when the hero can walk between them without passing a third. The merging of obstacles is a
//! heuristic of the published solver: it asks that no choice be hidden on either *side* of a pair, but looks at links
//! of nodes that were themselves merged, so on some towers it does hide one.

use std::collections::BTreeSet;

use crate::game::region::TileGraph;
use crate::game::{CellSet, Colour, Item, MonsterId, Position, Tile, Tower};

/// The nodes in reading order (floor, row, column of the first tile); the first is the hero's start.
#[derive(Clone, Debug)]
pub struct MergedGraph {
    nodes: Vec<Node>,
}

/// One node: a tile, or several that were merged.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it holds.
    pub content: Content,
    /// Numbers of the linked nodes, ascending.
    pub links: BTreeSet<usize>,
}

/// What a node holds. Items and obstacles never share a node: that would hide what the items cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The tile on which the hero starts.
    Start,
    /// Things that are taken at once when in reach.
    Items(Vec<(Position, Bounty)>),
    /// Things that are cleared together, each at its price.
    Obstacles(Vec<(Position, Obstacle)>),
    /// The boss, always alone.
    Boss(Position, MonsterId),
}

/// What costs nothing to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounty {
    /// An item.
    Item(Item),
    /// A shop, which from then on sells.
    Shop,
}

/// What must be paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A door: one key of its colour.
    Door(Colour),
    /// A monster: the damage of its fight.
    Monster(MonsterId),
}

impl MergedGraph {
    /// The graph of a valid tower, merged if asked for.
    pub fn new(tower: &Tower, merge: bool) -> Self {
        let mut draft = Draft::linked(tower);
        if merge {
            draft.merge_all();
        }
        MergedGraph { nodes: draft.numbered() }
    }

    /// The nodes by number.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many nodes hold a door or a monster.
    pub fn obstacle_count(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node.content, Content::Obstacles(_) | Content::Boss(..))).count()
    }
}

impl Content {
    fn of(tower: &Tower, at: Position, tile: Tile) -> Option<Self> {
        Some(match tile {
            Tile::Floor | Tile::Wall | Tile::Stair(_) => return None,
            // Towers that have these are refused before.
            Tile::Gate(_) | Tile::Event | Tile::Figure => return None,
            Tile::Item(item) => Content::Items(vec![(at, Bounty::Item(item))]),
            Tile::Shop => Content::Items(vec![(at, Bounty::Shop)]),
            Tile::Door(colour) => Content::Obstacles(vec![(at, Obstacle::Door(colour))]),
            Tile::Monster(id) if tower.is_boss(tile) => Content::Boss(at, id),
            Tile::Monster(id) => Content::Obstacles(vec![(at, Obstacle::Monster(id))]),
        })
    }

    /// Its doors and monsters, in the order in which they were merged.
    pub fn obstacles(&self) -> impl Iterator<Item = (Position, Obstacle)> + '_ {
        let (many, boss): (&[_], _) = match self {
            Content::Obstacles(obstacles) => (obstacles, None),
            Content::Boss(at, id) => (&[], Some((*at, Obstacle::Monster(*id)))),
            Content::Start | Content::Items(_) => (&[], None),
        };
        many.iter().copied().chain(boss)
    }

    /// Its tiles; none of the start's, which is walked over.
    pub fn tiles(&self) -> impl Iterator<Item = Position> + '_ {
        let bounties: &[_] = if let Content::Items(bounties) = self { bounties } else { &[] };
        self.obstacles().map(|(at, _)| at).chain(bounties.iter().map(|(at, _)| *at))
    }

    /// Its first shop.
    pub fn shop(&self) -> Option<Position> {
        let Content::Items(bounties) = self else { return None };
        bounties.iter().find(|(_, bounty)| *bounty == Bounty::Shop).map(|(at, _)| *at)
    }

    fn append(&mut self, other: Content) {
        match (self, other) {
            (Content::Items(mine), Content::Items(theirs)) => mine.extend(theirs),
            (Content::Obstacles(mine), Content::Obstacles(theirs)) => mine.extend(theirs),
            _ => {}
        }
    }
}

/// A graph in the making: a node that was merged into another leaves a gap.
struct Draft {
    nodes: Vec<Option<Node>>,
}

impl Draft {
    /// One node a tile, linked, in reading order after the start.
    fn linked(tower: &Tower) -> Self {
        let tiles = TileGraph::new(tower);
        let mut contents = vec![(tower.start, Content::Start)];
        contents.extend(tower.tiles().filter_map(|(at, tile)| Some((at, Content::of(tower, at, tile)?))));
        let mut node_of = vec![None; tiles.len()];
        for (number, (at, _)) in contents.iter().enumerate().skip(1) {
            if let Some(cell) = tiles.cell(*at) {
                node_of[cell as usize] = Some(number);
            }
        }
        let nodes = contents.into_iter().enumerate().map(|(number, (at, content))| {
            let mut links = walk(&tiles, &node_of, tower.start, at);
            links.remove(&number);
            Some(Node { content, links })
        });
        Draft { nodes: nodes.collect() }
    }

    /// Merges the first mergeable pair in order of numbers, and begins again, until there is none.
    fn merge_all(&mut self) {
        while let Some((kept, gone)) = self.first_mergeable() {
            self.merge(kept, gone);
        }
    }

    fn first_mergeable(&self) -> Option<(usize, usize)> {
        let numbered = self.nodes.iter().enumerate();
        numbered.filter_map(|(number, node)| Some((number, node.as_ref()?))).find_map(|(number, node)| {
            let later = node.links.range(number + 1..).copied();
            later.filter(|other| self.mergeable(number, *other)).map(|other| (number, other)).next()
        })
    }

    fn mergeable(&self, a: usize, b: usize) -> bool {
        let (Some(Some(first)), Some(Some(second))) = (self.nodes.get(a), self.nodes.get(b)) else { return false };
        match (&first.content, &second.content) {
            (Content::Items(_), Content::Items(_)) => true,
            (Content::Obstacles(_), Content::Obstacles(_)) => {
                first.links.is_disjoint(&second.links)
                    && self.pairwise_linked(&first.links, b)
                    && self.pairwise_linked(&second.links, a)
            }
            _ => false,
        }
    }

    /// Whether all of `nodes` but `aside` are linked to one another.
    fn pairwise_linked(&self, nodes: &BTreeSet<usize>, aside: usize) -> bool {
        let rest = || nodes.iter().copied().filter(|node| *node != aside);
        rest().all(|x| self.nodes[x].as_ref().is_some_and(|node| rest().all(|y| x == y || node.links.contains(&y))))
    }

    fn merge(&mut self, kept: usize, gone: usize) {
        let Some(Node { content, links }) = self.nodes[gone].take() else { return };
        for link in links {
            let Some(neighbour) = &mut self.nodes[link] else { continue };
            neighbour.links.remove(&gone);
            if link != kept {
                neighbour.links.insert(kept);
                if let Some(node) = &mut self.nodes[kept] {
                    node.links.insert(link);
                }
            }
        }
        if let Some(node) = &mut self.nodes[kept] {
            node.content.append(content);
        }
    }

    /// The nodes without gaps.
    fn numbered(self) -> Vec<Node> {
        let mut count = 0;
        let number_of: Vec<usize> = (self.nodes.iter())
            .map(|node| {
                let number = count;
                count += usize::from(node.is_some());
                number
            })
            .collect();
        let nodes = self.nodes.into_iter().flatten();
        nodes.map(|node| Node { links: node.links.iter().map(|link| number_of[*link]).collect(), ..node }).collect()
    }
}

/// The nodes to which one can walk from a tile without passing another node. The start's tile is a node that one
/// walks over.
fn walk(tiles: &TileGraph, node_of: &[Option<usize>], start: Position, from: Position) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let Some(from) = tiles.cell(from) else { return found };
    let start = tiles.cell(start);
    let mut seen = CellSet::empty(tiles.len());
    seen.insert(from);
    let mut front = vec![from];
    if start == Some(from) {
        // A shop may stand where the hero starts; then the two are linked.
        found.insert(0);
        found.extend(node_of[from as usize]);
    }
    while let Some(cell) = front.pop() {
        for &next in tiles.neighbours(cell) {
            if !seen.insert(next) {
                continue;
            }
            if start == Some(next) {
                found.insert(0);
            }
            match node_of[next as usize] {
                Some(node) => {
                    found.insert(node);
                }
                None => front.push(next),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Hero;
    use crate::solver::fixed::{draw, monster};

    /// Draws a floor and lists its nodes: the columns and rows of their tiles, then the links.
    fn check(picture: &str, merge: bool, expected: &[(&str, &[usize])]) {
        let monsters = vec![monster("1", 10, 1, 0, &[]), monster("B", 10, 1, 0, &[])];
        let tower = draw(Hero { hp: 10, ..Hero::default() }, monsters, &[picture]);
        let graph = MergedGraph::new(&tower, merge);
        let found: Vec<(String, Vec<usize>)> = graph
            .nodes()
            .iter()
            .map(|node| {
                let tiles: Vec<Position> = match &node.content {
                    Content::Start => vec![tower.start],
                    Content::Items(bounties) => bounties.iter().map(|(at, _)| *at).collect(),
                    other => other.obstacles().map(|(at, _)| at).collect(),
                };
                let tiles: Vec<String> = tiles.iter().map(|at| format!("{},{}", at.x, at.y)).collect();
                (tiles.join(" "), node.links.iter().copied().collect())
            })
            .collect();
        let expected: Vec<(String, Vec<usize>)> =
            expected.iter().map(|(tiles, links)| (tiles.to_string(), links.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn nodes_come_in_reading_order_and_the_start_is_walked_over() {
        check(
            "
            Y . a
            . @ .
            # # 1
            ",
            false,
            &[("1,1", &[1, 2, 3]), ("0,0", &[0, 2, 3]), ("2,0", &[0, 1, 3]), ("2,2", &[0, 1, 2])],
        );
    }

    #[test]
    fn neighbouring_items_merge_and_the_start_does_not() {
        check("@ . a d . k B", true, &[("0,0", &[1]), ("2,0 3,0 5,0", &[0, 2]), ("6,0", &[1])]);
    }

    #[test]
    fn a_row_of_obstacles_merges_up_to_the_boss_and_never_with_an_item() {
        check("@ 1 Y 1 B", true, &[("0,0", &[1]), ("1,0 2,0 3,0", &[0, 2]), ("4,0", &[1])]);
        check("@ 1 a 1 B", true, &[("0,0", &[1]), ("1,0", &[0, 2]), ("2,0", &[1, 3]), ("3,0", &[2, 4]), ("4,0", &[3])]);
    }

    #[test]
    fn obstacles_with_a_neighbour_in_common_stay_apart() {
        // Both touch the start's room.
        check("1 @ 1", true, &[("1,0", &[1, 2]), ("0,0", &[0, 2]), ("2,0", &[0, 1])]);
    }

    #[test]
    fn obstacles_stay_apart_where_merging_would_hide_a_choice() {
        // Behind the first obstacle the way forks to two items that are not linked.
        check(
            "
            # # a
            @ 1 Y
            # # d
            ",
            true,
            &[("0,1", &[2]), ("2,0", &[3]), ("1,1", &[0, 3]), ("2,1", &[1, 2, 4]), ("2,2", &[3])],
        );
        // A fork whose ends are linked is no choice.
        check(
            "
            # # . a
            @ 1 Y .
            # # # d
            ",
            true,
            &[("0,1", &[2]), ("3,0 3,2", &[2]), ("1,1 2,1", &[0, 1])],
        );
    }
}
