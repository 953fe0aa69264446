//! A floor while it is drawn: squares of rock into which rooms, ways and nooks are cut. Knows no monsters and no items.

use std::collections::{BTreeMap, VecDeque};

/// Column and row; the frame is cut out when all floors are drawn, so that both may be negative until then.
pub type Square = (i32, i32);

/// What a square that is no rock belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A room, by its number.
    Room(usize),
    /// A way between two rooms, by its number in [`Sheet::ways`].
    Way(usize),
    /// An alcove of a room.
    Nook(usize),
    /// A tunnel that leads from a room to a ladder.
    Tunnel,
}

/// Squares side by side: the place of a room, or the part of a floor that is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// Its upper left square.
    pub at: Square,
    /// Columns and rows.
    pub size: (i32, i32),
}

/// A way that has been cut between two rooms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The room that it leads from, the nearer to the floor's first room, and the one it leads to.
    pub rooms: (usize, usize),
    /// Its number among the floor's links.
    pub link: usize,
    /// Its squares, from the first room to the second.
    pub squares: Vec<Square>,
}

/// A floor of rock with what has been cut into it.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    cuts: BTreeMap<Square, Cut>,
    /// The rooms that have been placed; none where one has not been yet.
    pub rooms: Vec<Option<Rectangle>>,
    /// The ways.
    pub ways: Vec<Way>,
    /// Columns of rock that a long ladder passes through: nothing is cut within a square of them any more.
    pub columns: Vec<Square>,
}

/// Squares of rock around what is cut, in which ways and tunnels may run.
pub const MARGIN: i32 = 3;

/// The four squares beside one.
pub fn beside((x, y): Square) -> [Square; 4] {
    [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
}

/// Rows or columns between two squares, whichever are more.
pub fn apart(a: Square, b: Square) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

impl Rectangle {
    /// Its squares, row by row.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        let ((x, y), (width, height)) = (self.at, self.size);
        (y..y + height).flat_map(move |y| (x..x + width).map(move |x| (x, y)))
    }

    /// Whether a square lies in it.
    pub fn contains(self, (x, y): Square) -> bool {
        let ((left, top), (width, height)) = (self.at, self.size);
        (left..left + width).contains(&x) && (top..top + height).contains(&y)
    }
}

impl Sheet {
    /// Nothing but rock, for so many rooms.
    pub fn of(rooms: usize) -> Self {
        Sheet { rooms: vec![None; rooms], ..Sheet::default() }
    }

    /// What a square belongs to; none if it is rock.
    pub fn cut(&self, square: Square) -> Option<Cut> {
        self.cuts.get(&square).copied()
    }

    /// Whether a square is rock.
    pub fn is_rock(&self, square: Square) -> bool {
        !self.cuts.contains_key(&square)
    }

    /// All squares that are no rock, column by column.
    pub fn open(&self) -> impl Iterator<Item = (Square, Cut)> + '_ {
        self.cuts.iter().map(|(square, cut)| (*square, *cut))
    }

    /// Whether a square and the four beside it are rock, so that a way may be cut through it.
    pub fn is_free(&self, square: Square) -> bool {
        self.is_rock(square) && !self.is_column(square) && beside(square).into_iter().all(|other| self.is_rock(other))
    }

    fn is_column(&self, square: Square) -> bool {
        self.columns.iter().any(|column| apart(*column, square) <= 1)
    }

    /// Whether a square and the eight around it are rock, so that a column may pass through it.
    pub fn is_solid(&self, (x, y): Square) -> bool {
        (y - 1..=y + 1).all(|y| (x - 1..=x + 1).all(|x| self.is_rock((x, y))))
    }

    /// Puts a room somewhere.
    pub fn put_room(&mut self, room: usize, place: Rectangle) {
        self.cuts.extend(place.squares().map(|square| (square, Cut::Room(room))));
        self.rooms[room] = Some(place);
    }

    /// Cuts a way.
    pub fn cut_way(&mut self, way: Way) {
        let number = self.ways.len();
        self.cuts.extend(way.squares.iter().map(|square| (*square, Cut::Way(number))));
        self.ways.push(way);
    }

    /// Cuts an alcove or a tunnel.
    pub fn cut_as(&mut self, squares: &[Square], cut: Cut) {
        self.cuts.extend(squares.iter().map(|square| (*square, cut)));
    }

    /// Whether a room would touch nothing: it and the squares around it are rock.
    pub fn has_place_for(&self, place: Rectangle) -> bool {
        let ((x, y), (width, height)) = (place.at, place.size);
        let around = Rectangle { at: (x - 1, y - 1), size: (width + 2, height + 2) };
        around.squares().all(|square| self.is_rock(square))
    }

    /// The room whose edge a square of rock is, if it touches that room on one side and rock on the others.
    pub fn edge_of(&self, square: Square) -> Option<usize> {
        if !self.is_rock(square) || self.is_column(square) {
            return None;
        }
        let mut touched = beside(square).into_iter().filter_map(|other| self.cut(other));
        match (touched.next(), touched.next()) {
            (Some(Cut::Room(room)), None) => Some(room),
            _ => None,
        }
    }

    /// The square of a room that lies beside one of its edge squares.
    pub fn mouth(&self, room: usize, edge: Square) -> Option<Square> {
        beside(edge).into_iter().find(|square| self.cut(*square) == Some(Cut::Room(room)))
    }

    /// The rectangle around all that is cut, with a margin.
    pub fn field(&self) -> Rectangle {
        let squares = || self.cuts.keys();
        let (left, right) = (squares().map(|square| square.0).min(), squares().map(|square| square.0).max());
        let (top, bottom) = (squares().map(|square| square.1).min(), squares().map(|square| square.1).max());
        let side = |least: Option<i32>, most: Option<i32>| (most.unwrap_or(0) - least.unwrap_or(0)) + 1 + 2 * MARGIN;
        Rectangle {
            at: (left.unwrap_or(0) - MARGIN, top.unwrap_or(0) - MARGIN),
            size: (side(left, right), side(top, bottom)),
        }
    }

    /// The edge squares of a room, column by column.
    pub fn edges(&self, room: usize) -> Vec<Square> {
        let Some(place) = self.rooms.get(room).copied().flatten() else { return Vec::new() };
        let ((x, y), (width, height)) = (place.at, place.size);
        let around = Rectangle { at: (x - 1, y - 1), size: (width + 2, height + 2) };
        let mut edges: Vec<Square> = around.squares().filter(|square| self.edge_of(*square) == Some(room)).collect();
        edges.sort_unstable();
        edges
    }

    /// The shortest way through rock from an edge of one room to an edge of another, of at most so many squares, that
    /// touches nothing else. None if there is none.
    pub fn route(&self, from: usize, to: usize, most: usize) -> Option<Vec<Square>> {
        let spread = Spread::from(self, self.edges(from).into_iter().map(|edge| (edge, 1)), most as i64);
        // Touching both rooms, a single square is a way, too; `edges` leaves those out.
        let goals = self.edges(to);
        let reached = |goal: &Square| {
            let step = beside(*goal).into_iter().filter_map(|square| Some((spread.cost(square)?, square))).min()?;
            (step.0 < most as i64).then_some((step.0, *goal, step.1))
        };
        let (_, goal, before) = goals.iter().filter_map(reached).min()?;
        let mut squares = spread.way_to(before);
        squares.push(goal);
        Some(squares)
    }
}

/// How far free squares lie from where one may begin to dig, square by square.
#[derive(Clone, Debug, Default)]
pub struct Spread {
    reached: BTreeMap<Square, (i64, Option<Square>)>,
}

impl Spread {
    /// Spreads through free squares from edge squares, each with what it costs to begin there; each further square costs
    /// one more, up to `most`. It stays among the rooms: within [`MARGIN`] squares of what is cut.
    pub fn from(sheet: &Sheet, begin: impl Iterator<Item = (Square, i64)>, most: i64) -> Self {
        let field = sheet.field();
        let mut waiting: BTreeMap<i64, VecDeque<(Square, Option<Square>)>> = BTreeMap::new();
        for (square, cost) in begin.filter(|(_, cost)| *cost <= most) {
            waiting.entry(cost).or_default().push_back((square, None));
        }
        let mut spread = Spread::default();
        while let Some((cost, squares)) = waiting.pop_first() {
            for (square, before) in squares {
                if spread.reached.contains_key(&square) {
                    continue;
                }
                spread.reached.insert(square, (cost, before));
                if cost < most {
                    let next = beside(square).into_iter().filter(|next| field.contains(*next) && sheet.is_free(*next));
                    waiting.entry(cost + 1).or_default().extend(next.map(|next| (next, Some(square))));
                }
            }
        }
        spread
    }

    /// What it costs to reach a square; none if it is out of reach.
    pub fn cost(&self, square: Square) -> Option<i64> {
        self.reached.get(&square).map(|(cost, _)| *cost)
    }

    /// All squares that are reached, with their costs, column by column.
    pub fn squares(&self) -> impl Iterator<Item = (Square, i64)> + '_ {
        self.reached.iter().map(|(square, (cost, _))| (*square, *cost))
    }

    /// The way to a square, from the edge where it begins.
    pub fn way_to(&self, square: Square) -> Vec<Square> {
        let mut way = vec![square];
        while let Some((_, Some(before))) = way.last().and_then(|last| self.reached.get(last)) {
            way.push(*before);
        }
        way.reverse();
        way
    }
}
