//! What may be wrong with a description, and what to write instead. Knows nothing of how it is found.

/// A description that cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DescriptionError {
    /// It is no description, or one that cannot be drawn.
    #[error("{file}: {message}")]
    File {
        /// The file.
        file: String,
        /// What is wrong, with the place if it is known.
        message: String,
    },
    /// A text that is too long, or holds what it may not.
    #[error("{what} `{found}` cannot be used; write {rule}")]
    Text {
        /// Whose.
        what: String,
        /// What stands there.
        found: String,
        /// What may.
        rule: &'static str,
    },
    /// A number out of its range.
    #[error("{what} must be from {least} to {most}, not {found}")]
    Range {
        /// Of what.
        what: String,
        /// The least.
        least: i64,
        /// The most.
        most: i64,
        /// What it is.
        found: i64,
    },
    /// A range that holds no number.
    #[error("{what}: {least} to {most} is no range; write the smaller number first")]
    Order {
        /// Of what.
        what: &'static str,
        /// The first number.
        least: i64,
        /// The second.
        most: i64,
    },
    /// The boss in the room by which its floor is entered.
    #[error(
        "floor {floor}: the boss's room is `{room}`, the room by which the floor is entered; add a room, or name another as its goal"
    )]
    BossAtEntrance {
        /// The floor from 1.
        floor: usize,
        /// The room.
        room: String,
    },
    /// Two rooms of one name.
    #[error("there are two rooms `{0}`; give one of them another name, for links name rooms")]
    TwoRooms(String),
    /// A room that there is not.
    #[error("{what} names the room `{room}`, which is not on floor {floor}{elsewhere}")]
    NoRoom {
        /// Who names it.
        what: &'static str,
        /// The name.
        room: String,
        /// The floor from 1.
        floor: usize,
        /// Where it is instead, or what is meant.
        elsewhere: String,
    },
    /// A room to be left empty that there is not.
    #[error("the population leaves `{room}` empty, but there is no such room{nearest}")]
    NoEmptyRoom {
        /// The name.
        room: String,
        /// What is meant.
        nearest: String,
    },
    /// A link from a room to itself.
    #[error("floor {floor}: a link joins `{room}` to itself; name another room, or leave it out")]
    ToItself {
        /// The floor from 1.
        floor: usize,
        /// The room.
        room: String,
    },
    /// Two links between two rooms.
    #[error("floor {floor}: two links join `{from}` and `{to}`; leave one out")]
    TwoLinks {
        /// The floor from 1.
        floor: usize,
        /// One room.
        from: String,
        /// The other.
        to: String,
    },
    /// A colour of something that is no door.
    #[error(
        "floor {floor}: the link from `{from}` to `{to}` has a colour, but only doors have one; write kind = \"door\""
    )]
    Colour {
        /// The floor from 1.
        floor: usize,
        /// One room.
        from: String,
        /// The other.
        to: String,
    },
    /// A room that no link leads to.
    #[error("floor {floor}: no links lead from `{first}` to `{room}`; add one")]
    Apart {
        /// The floor from 1.
        floor: usize,
        /// The floor's first room.
        first: String,
        /// The room.
        room: String,
    },
    /// Something placed outside of its room.
    #[error("`{what}` stands at [{x}, {y}] of `{room}`, which has {width} columns and {height} rows, counted from 0")]
    Outside {
        /// What.
        what: String,
        /// The room.
        room: String,
        /// Its column.
        x: u16,
        /// Its row.
        y: u16,
        /// Columns of the room.
        width: u16,
        /// Rows of the room.
        height: u16,
    },
    /// Two things at one place.
    #[error("`{first}` and `{second}` stand at one square of `{room}`; move one of them")]
    OneSquare {
        /// One.
        first: String,
        /// The other.
        second: String,
        /// The room.
        room: String,
    },
    /// Weights of a floor that there is not.
    #[error("the population has weights for floor `{floor}`; the floors are 1 to {floors}")]
    NoFloor {
        /// The key.
        floor: String,
        /// Floors.
        floors: usize,
    },
    /// Weights among which there is nothing to choose.
    #[error("the population's weights for floor {0} are all 0; give a monster a weight, or leave the floor out")]
    NoWeight(String),
    /// Something that there is not.
    #[error("{what} `{found}` is not known{nearest}")]
    Unknown {
        /// What kind of thing.
        what: &'static str,
        /// Its name.
        found: String,
        /// What is meant, or what there is.
        nearest: String,
    },
}
