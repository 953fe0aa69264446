//! A piece as it is offered: in the message itself, or beside it in the batch's contents if it is large.

use serde::{Deserialize, Serialize};

use super::packet::pack;
use super::task::Piece;
use crate::cluster::error::ClusterError;

/// An item, as it is offered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offered {
    /// Its id.
    pub item: String,
    /// What to do.
    pub piece: Place,
}

/// Where a piece is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Here.
    Here(Box<Piece>),
    /// In the batch's contents, under this name: it is larger than a message should be.
    Kept(String),
}

/// Bytes of a piece up to which it stands in the message that offers it.
const SMALL: usize = 256 << 10;

/// A piece that is out.
pub(super) struct Out {
    /// How many were handed out before it.
    pub(super) number: u64,
    /// As it was offered.
    pub(super) offered: Vec<u8>,
    /// Where it is kept, if it is large.
    pub(super) kept: Option<(String, Vec<u8>)>,
}

impl Out {
    /// Bytes of it.
    pub(super) fn bytes(&self) -> usize {
        self.offered.len() + self.kept.as_ref().map_or(0, |(_, packet)| packet.len())
    }
}

/// A piece as it is offered.
pub(super) fn packed(number: u64, item: &str, piece: Piece) -> Result<Out, ClusterError> {
    let mut offered = Offered { item: item.to_owned(), piece: Place::Here(Box::new(piece)) };
    let packet = pack(&offered)?;
    if packet.len() <= SMALL {
        return Ok(Out { number, offered: packet, kept: None });
    }
    let name = format!("pieces/{item}");
    let Place::Here(piece) = std::mem::replace(&mut offered.piece, Place::Kept(name.clone())) else {
        return Ok(Out { number, offered: packet, kept: None });
    };
    Ok(Out { number, offered: pack(&offered)?, kept: Some((name, pack(&piece)?)) })
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::cluster::pieces::packet::unpack;
    use crate::cluster::pieces::task::floors::Seeds;

    #[test]
    fn what_is_large_is_kept_beside_its_offer() {
        let small = Piece::Floors(Seeds { first: 7, count: 9, except: Default::default() });
        let out = packed(0, "7-9", small.clone()).expect("packed");
        assert!(out.kept.is_none() && out.bytes() == out.offered.len());
        let offered: Offered = unpack(&out.offered).expect("unpacked");
        assert_eq!(offered, Offered { item: "7-9".into(), piece: Place::Here(Box::new(small)) });
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let except = (0..100_000).map(|_| random.random()).collect();
        let large = Piece::Floors(Seeds { first: 0, count: u64::MAX, except });
        let out = packed(1, "0-9", large.clone()).expect("packed");
        let (name, packet) = out.kept.clone().expect("kept");
        assert!(out.offered.len() < 200 && packet.len() > SMALL && out.bytes() > packet.len());
        let offered: Offered = unpack(&out.offered).expect("unpacked");
        assert_eq!(offered, Offered { item: "0-9".into(), piece: Place::Kept(name) });
        assert!(unpack::<Piece>(&packet).expect("unpacked") == large);
    }
}
