//! What must be passed on the way to what: the dominator tree of a place's surroundings.
//!
//! A node dominates another if every way to the second passes the first. Whoever has cleared a node has cleared all
//! that dominate it, so the cleared nodes are always the upper part of this tree.

use super::key::{Place, Space};

/// The dominator tree of what lies ahead of a place: node 0 is all that is open, then come obstacles, then areas.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    /// The parent of each node; none of node 0 and of nodes that cannot be reached.
    pub parent: Vec<Option<u32>>,
    /// The nodes that can be reached, parents before children.
    pub order: Vec<u32>,
    obstacles: usize,
}

impl DominatorTree {
    /// The tree of a place.
    pub fn new<const W: usize>(space: &Space<W>, place: &Place<W>) -> Self {
        let obstacles = space.graph.obstacles.len();
        let count = 1 + obstacles + space.graph.areas.len();
        let next = |node: usize| -> Vec<usize> {
            if node == 0 {
                return place.reach.iter().map(|index| 1 + index).collect();
            }
            if node <= obstacles {
                let obstacle = &space.graph.obstacles[node - 1];
                let areas = (obstacle.areas & !place.opened).iter().map(|area| 1 + obstacles + area);
                return (obstacle.beside & !place.key.gone).iter().map(|index| 1 + index).chain(areas).collect();
            }
            let border = space.graph.areas[node - 1 - obstacles].border & !place.key.gone;
            border.iter().map(|index| 1 + index).collect()
        };
        let order = reverse_postorder(count, &next);
        let parent = parents(count, &order, &next);
        let order = order.into_iter().map(|node| node as u32).collect();
        DominatorTree { parent, order, obstacles }
    }

    /// The node of an obstacle.
    pub fn of_obstacle(&self, index: usize) -> usize {
        1 + index
    }

    /// The obstacle of a node, if it is one.
    pub fn obstacle(&self, node: usize) -> Option<u16> {
        node.checked_sub(1).filter(|index| *index < self.obstacles).map(|index| index as u16)
    }

    /// The node of an area.
    pub fn of_area(&self, index: usize) -> usize {
        1 + self.obstacles + index
    }
}

fn reverse_postorder(count: usize, next: &impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut seen = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut stack = vec![(0, next(0).into_iter())];
    seen[0] = true;
    while let Some((node, ahead)) = stack.last_mut() {
        match ahead.next() {
            Some(to) if !seen[to] => {
                seen[to] = true;
                stack.push((to, next(to).into_iter()));
            }
            Some(_) => {}
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Immediate dominators, by repeated intersection in reverse postorder (Cooper, Harvey and Kennedy).
fn parents(count: usize, order: &[usize], next: &impl Fn(usize) -> Vec<usize>) -> Vec<Option<u32>> {
    let mut rank = vec![usize::MAX; count];
    order.iter().enumerate().for_each(|(index, node)| rank[*node] = index);
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &node in order {
        for to in next(node) {
            before[to].push(node);
        }
    }
    let mut parent: Vec<Option<usize>> = vec![None; count];
    parent[0] = Some(0);
    let meet = |parent: &[Option<usize>], mut a: usize, mut b: usize| {
        while a != b {
            let later = if rank[a] > rank[b] { &mut a } else { &mut b };
            *later = parent[*later].unwrap_or(0);
        }
        a
    };
    let mut changed = true;
    while changed {
        changed = false;
        for &node in &order[1..] {
            let known = before[node].iter().copied().filter(|from| parent[*from].is_some());
            let found = known.reduce(|a, b| meet(&parent, a, b));
            if found != parent[node] {
                parent[node] = found;
                changed = true;
            }
        }
    }
    parent.iter().enumerate().map(|(node, up)| up.filter(|_| node != 0).map(|up| up as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Hero, ItemMode};
    use crate::solver::fixed::{draw, monster};

    #[test]
    fn what_lies_behind_a_fork_is_dominated_by_what_stands_before_it() {
        let monsters = vec![monster("1", 10, 1, 0, &[]), monster("B", 10, 1, 0, &[])];
        let picture = "
            # 1 . 1 #
            @ # . # B
            # 1 . 1 #
            # a 1 k #
        ";
        let tower = draw(Hero { hp: 10, ..Hero::default() }, monsters, &[picture]);
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let space: Space<1> = Space::new(&game).unwrap();
        let entry = space.place_of(&game.start().unwrap()).unwrap();
        let tree = DominatorTree::new(&space, &entry.place);
        // The hero is walled in: nothing can be reached.
        assert_eq!(tree.order, [0]);
        assert!(tree.parent.iter().all(Option::is_none));
        let picture = "
            @ 1 . 1 B
            1 # . # #
            . 1 . 1 a
        ";
        let tower = draw(Hero { hp: 10, ..Hero::default() }, game.tower().monsters.clone(), &[picture]);
        let game = Game::new(tower, ItemMode::Auto).unwrap();
        let space: Space<1> = Space::new(&game).unwrap();
        let entry = space.place_of(&game.start().unwrap()).unwrap();
        let tree = DominatorTree::new(&space, &entry.place);
        let node = |x: u16, y: u16| {
            let cell = game.graph().cell(crate::game::Position::new(0, x, y)).unwrap();
            tree.of_obstacle(space.graph.obstacle_at(cell).unwrap())
        };
        let up = |node: usize| tree.parent[node].map(|up| up as usize);
        assert_eq!(up(node(1, 0)), Some(0));
        assert_eq!(up(node(0, 1)), Some(0));
        let middle = up(node(3, 0)).unwrap();
        assert_eq!(up(middle), Some(0), "two ways lead to the middle");
        assert_eq!(up(node(3, 2)), Some(middle));
        assert_eq!(up(node(4, 0)), Some(node(3, 0)));
    }
}
