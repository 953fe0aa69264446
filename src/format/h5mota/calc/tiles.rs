//! Conditions on what stands on a tile.

use super::super::block::Block;
use super::super::build::{Builder, Why, number};
use super::super::fold;
use super::Worth;
use crate::game::{Expression, Operator, Position, Tile};

impl Builder<'_> {
    /// Whether two things are equal.
    pub(super) fn equal(&mut self, left: Worth, right: Worth) -> Result<Expression, Why> {
        let no = || Ok(Expression::whole(0));
        match (left, right) {
            (Worth::Text(a), Worth::Text(b)) => Ok(Expression::whole(i64::from(a == b))),
            (Worth::Block(at), Worth::Text(id)) | (Worth::Text(id), Worth::Block(at)) => {
                // Where there is nothing the engine finds no id at all, not even `none`.
                if id == "none" && self.tile(at, 0)? == Tile::Floor {
                    return no();
                }
                let numbers = self.blocks.numbers(&id);
                let real = numbers.iter().any(|number| self.blocks.get(*number).id == id);
                if real { self.stands(at, |block| block.id == id, &numbers) } else { no() }
            }
            (Worth::Class(at), Worth::Text(class)) | (Worth::Text(class), Worth::Class(at)) => {
                self.class_stands(at, &class)
            }
            (Worth::BlockNumber(at), Worth::Number(of)) | (Worth::Number(of), Worth::BlockNumber(at)) => {
                let wanted = fold::constant(&of).and_then(|number| number.floor()).and_then(|n| u32::try_from(n).ok());
                let wanted = wanted.ok_or("the number of a tile is not known beforehand")?;
                self.stands(at, |block| block.number == wanted, &[wanted])
            }
            (Worth::Block(at) | Worth::Class(at) | Worth::BlockNumber(at), Worth::Nothing)
            | (Worth::Nothing, Worth::Block(at) | Worth::Class(at) | Worth::BlockNumber(at)) => {
                Ok(Expression::Stands(Tile::Floor, at))
            }
            (Worth::Nothing, Worth::Nothing) => Ok(Expression::whole(1)),
            (Worth::Text(_), Worth::Nothing) | (Worth::Nothing, Worth::Text(_)) => no(),
            (Worth::Number(of), Worth::Text(text)) | (Worth::Text(text), Worth::Number(of)) => {
                match super::super::literal::decimal(text.trim()).as_deref().and_then(number) {
                    Some(number) => Ok(fold::operation(of, Operator::Equal, Expression::Number(number))),
                    None if fold::constant(&of).is_some() => no(),
                    None => {
                        let number = Expression::whole(self.text_number(&text));
                        Ok(fold::operation(of, Operator::Equal, number))
                    }
                }
            }
            (left, right) => {
                let of = |worth| match worth {
                    Worth::Number(expression) => Ok(expression),
                    Worth::Nothing => Ok(Expression::whole(0)),
                    _ => Err("two tiles are compared".to_owned()),
                };
                Ok(fold::operation(of(left)?, Operator::Equal, of(right)?))
            }
        }
    }

    /// Whether something of a class stands on a tile, as far as the map and events put it there.
    pub(super) fn class_stands(&mut self, at: Position, class: &str) -> Result<Expression, Why> {
        let class = class.to_owned();
        self.stands(at, |block| block.class.starts_with(&class), &[])
    }

    /// Whether one of the blocks that are meant stands on a tile: those that the map or an event puts there, or, if it is
    /// none of them, those that are named.
    fn stands(&mut self, at: Position, is_meant: impl Fn(&Block) -> bool, named: &[u32]) -> Result<Expression, Why> {
        let mut numbers: Vec<u32> = self.number_at(at).into_iter().collect();
        numbers.extend(self.placed.get(&at).into_iter().flatten().copied());
        numbers.retain(|number| is_meant(&self.blocks.get(*number)));
        if numbers.is_empty() {
            numbers.extend(named);
        }
        let mut tiles = Vec::new();
        for number in numbers {
            let tile = self.tile(at, number)?;
            if tile == Tile::Floor {
                return Err("what is asked for cannot be told from open floor".into());
            }
            if !tiles.contains(&tile) {
                tiles.push(tile);
            }
        }
        let each = tiles.into_iter().map(|tile| Expression::Stands(tile, at));
        Ok(each.reduce(|all, next| fold::operation(all, Operator::Or, next)).unwrap_or(Expression::whole(0)))
    }
}
