//! Packing what a page carries. Knows nothing of what is packed.

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// JSON, deflated, in base64: letters, digits, `+`, `/` and `=` only.
///
/// # Errors
/// If the value has no JSON.
pub fn pack(value: &impl Serialize) -> io::Result<String> {
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut deflated, value)?;
    Ok(STANDARD.encode(deflated.finish()?))
}

#[cfg(test)]
pub fn unpack(packed: &str) -> serde_json::Value {
    let deflated = STANDARD.decode(packed).expect("base64");
    serde_json::from_reader(flate2::read::DeflateDecoder::new(deflated.as_slice())).expect("deflated JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_what_was_given_and_holds_no_markup() {
        let text = "</script><!--\u{2028}\0".repeat(1_000);
        let packed = pack(&text).unwrap();
        assert!(packed.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)));
        assert!(packed.len() < text.len() / 10);
        assert_eq!(unpack(&packed), text.as_str());
    }
}
