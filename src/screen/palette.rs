//! What colour things have: sixteen, which every terminal has, or none. Whatever a colour says is said by a letter or a
//! mark as well.

use ratatui::style::{Color, Modifier, Style};

use crate::game::{Colour, Gem, Item, Potion, Tile};

/// The styles of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    colours: bool,
}

impl Palette {
    /// Styles with colours, or with nothing but bold, dim and reversed text.
    pub fn new(colours: bool) -> Self {
        Palette { colours }
    }

    fn of(self, colour: Color) -> Style {
        if self.colours { Style::new().fg(colour) } else { Style::new() }
    }

    /// Text without a meaning of its own.
    pub fn plain(self) -> Style {
        Style::new()
    }

    /// What matters less: frames without focus, units, coordinates.
    pub fn dim(self) -> Style {
        if self.colours { self.of(Color::DarkGray) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    /// Headings.
    pub fn heading(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The frame of the pane that the keys go to.
    pub fn focus(self) -> Style {
        self.of(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// Keys of the keyboard.
    pub fn key(self) -> Style {
        self.of(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// The line that is selected.
    pub fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// Lost, lethal, wrong.
    pub fn bad(self) -> Style {
        self.of(Color::LightRed).add_modifier(Modifier::BOLD)
    }

    /// Something lost, but not everything.
    pub fn worse(self) -> Style {
        self.of(Color::Yellow)
    }

    /// The best there is.
    pub fn good(self) -> Style {
        self.of(Color::LightGreen)
    }

    /// The hero.
    pub fn hero(self) -> Style {
        match self.colours {
            true => Style::new().fg(Color::Black).bg(Color::White).add_modifier(Modifier::BOLD),
            false => Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED),
        }
    }

    /// The marks around the tile of an action.
    pub fn mark(self) -> Style {
        self.of(Color::LightCyan).add_modifier(Modifier::BOLD)
    }

    /// A tile of the map.
    pub fn tile(self, tile: Tile, boss: bool) -> Style {
        match tile {
            Tile::Floor | Tile::Wall => self.dim(),
            Tile::Door(colour) => match self.colours {
                true => Style::new().fg(Color::Black).bg(base(colour)).add_modifier(Modifier::BOLD),
                false => Style::new().add_modifier(Modifier::BOLD),
            },
            Tile::Item(item) => self.of(item_colour(item)),
            Tile::Monster(_) if boss => match self.colours {
                true => Style::new().fg(Color::White).bg(Color::Red).add_modifier(Modifier::BOLD),
                false => Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            },
            Tile::Monster(_) => self.of(Color::LightMagenta).add_modifier(Modifier::BOLD),
            Tile::Gate(_) => self.of(Color::White).add_modifier(Modifier::BOLD | Modifier::REVERSED),
            Tile::Stair(_) | Tile::Shop | Tile::Event | Tile::Figure => {
                self.of(Color::White).add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
            }
        }
    }
}

fn base(colour: Colour) -> Color {
    match colour {
        Colour::Yellow => Color::LightYellow,
        Colour::Blue => Color::LightBlue,
        Colour::Red => Color::LightRed,
        Colour::Green => Color::LightGreen,
    }
}

fn item_colour(item: Item) -> Color {
    match item {
        Item::Key(colour) => base(colour),
        Item::Gem(Gem::Red) | Item::Potion(Potion::Red) => Color::LightRed,
        Item::Gem(Gem::Blue) | Item::Potion(Potion::Blue) => Color::LightBlue,
        Item::Gem(Gem::Green) | Item::Potion(Potion::Green) => Color::LightGreen,
        Item::Potion(Potion::Yellow) => Color::LightYellow,
        Item::Sword | Item::Shield | Item::Thing(_) => Color::LightCyan,
    }
}
