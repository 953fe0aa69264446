//! What pieces of work and their results look like on their way: JSON, deflated. Knows nothing of what is in it.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cluster::error::ClusterError;

/// Bytes that a packet may have when it is unpacked.
const MOST: u64 = 1 << 30;

/// Packs something.
///
/// # Errors
/// [`ClusterError::Failed`] if it cannot be told as JSON.
pub fn pack(what: &impl Serialize) -> Result<Vec<u8>, ClusterError> {
    let text = serde_json::to_vec(what).map_err(|error| ClusterError::of("packing work", &error))?;
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = deflated.write_all(&text).and_then(|()| deflated.finish());
    written.map_err(|error| ClusterError::of("packing work", &error))
}

/// Unpacks something.
///
/// # Errors
/// [`ClusterError::Unreadable`] if it is not that.
pub fn unpack<T: DeserializeOwned>(packet: &[u8]) -> Result<T, ClusterError> {
    let unreadable = |why: String| ClusterError::Unreadable { what: "a piece of work on the NATS server".into(), why };
    let mut text = Vec::new();
    let read = ZlibDecoder::new(packet).take(MOST + 1).read_to_end(&mut text);
    match read {
        Ok(bytes) if bytes as u64 > MOST => Err(unreadable(format!("it has more than {MOST} bytes"))),
        Ok(_) => serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string())),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again_and_nothing_else_does() {
        let lines: Vec<String> = (0..1_000).map(|number| format!("{{\"number\":{number}}}")).collect();
        let packet = pack(&lines).expect("packed");
        assert!(packet.len() < 5_000, "{}", packet.len());
        assert_eq!(unpack::<Vec<String>>(&packet).expect("unpacked"), lines);
        for wrong in [&packet[..packet.len() - 9], b"[]", b""] {
            let told = unpack::<Vec<String>>(wrong).expect_err("refused").to_string();
            assert!(told.starts_with("a piece of work on the NATS server cannot be read: "), "{told}");
        }
    }
}
