//! What the lines of one item's journal come to: records, some in several parts, and how often the item was lost. Knows
//! nothing of what records say.

use bytes::Bytes;

use super::journal::{Line, Mark};

/// The whole records of a journal's lines, those left aside that were put aside.
pub fn records(lines: &[Line]) -> Vec<Bytes> {
    let (mut records, mut joint) = (Vec::new(), Joint::default());
    for line in lines {
        match line.mark {
            Some(Mark::Aside) => {
                records.clear();
                joint.push(line);
            }
            _ => records.extend(joint.push(line)),
        }
    }
    records
}

/// How often an item was taken at its end and neither given back nor gone on with: whoever had it was lost.
pub fn losses(lines: &[Line]) -> usize {
    let (mut losses, mut given_back) = (0, false);
    for line in lines.iter().rev() {
        match line.mark {
            Some(Mark::Back) => given_back = true,
            Some(Mark::Taken) => losses += usize::from(!std::mem::take(&mut given_back)),
            Some(Mark::Part) => {}
            Some(Mark::Left | Mark::Aside) | None => break,
        }
    }
    losses
}

/// Joins the lines of records that were too large for one.
#[derive(Clone, Debug, Default)]
pub struct Joint {
    parts: Vec<u8>,
}

impl Joint {
    /// Takes the next line of an item; gives a record if it is whole by that.
    pub fn push(&mut self, line: &Line) -> Option<Bytes> {
        match line.mark {
            Some(Mark::Part) => {
                self.parts.extend_from_slice(&line.payload);
                None
            }
            // Whoever began it was shut out before it was whole.
            Some(_) => {
                self.parts.clear();
                None
            }
            None if self.parts.is_empty() => Some(line.payload.clone()),
            None => {
                let mut whole = std::mem::take(&mut self.parts);
                whole.extend_from_slice(&line.payload);
                Some(whole.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(mark: Option<Mark>, text: &'static str) -> Line {
        Line { sequence: 0, item: "a".into(), mark, payload: Bytes::from_static(text.as_bytes()) }
    }

    #[test]
    fn records_are_joined_and_what_was_put_aside_is_left_out() {
        let taken = || line(Some(Mark::Taken), "w");
        let part = |text| line(Some(Mark::Part), text);
        let lines = [
            taken(),
            line(None, "old"),
            line(Some(Mark::Aside), ""),
            taken(),
            part("ne"),
            part("w"),
            line(None, "er"),
            part("lost"),
            taken(),
            line(None, "last"),
            line(Some(Mark::Left), "why"),
        ];
        assert_eq!(records(&lines), ["newer", "last"].map(Bytes::from));
        assert_eq!(losses(&lines), 0);
        let back = || line(Some(Mark::Back), "w");
        assert_eq!(losses(&[taken(), line(None, "x"), taken(), taken(), back(), taken()]), 2);
    }
}
