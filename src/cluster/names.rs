//! What our things are called on a NATS server: batches, streams, subjects. Knows nothing of what is in them.

use sha2::{Digest, Sha256};

/// What kind of work a batch is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Episodes of a run.
    Run,
    /// Single floors from seeds.
    Floors,
    /// Towers from words.
    Towers,
    /// What the decisions of a run were worth.
    Analysis,
}

impl Kind {
    /// As names have it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Run => "run",
            Kind::Floors => "floors",
            Kind::Towers => "towers",
            Kind::Analysis => "analysis",
        }
    }

    /// Who does work of this kind where no agent plays: what `mota worker --agents` is matched with.
    pub fn doer(self) -> String {
        format!("@{}", self.name())
    }
}

/// The bucket in which all batches of an account are listed.
pub const REGISTRY: &str = "MOTA";

/// The id of a batch: its kind and a name that fits NATS.
pub fn batch_id(kind: Kind, name: &str) -> String {
    format!("{}-{}", kind.name(), fit(name))
}

/// A name as streams, buckets and consumers may have it: letters, digits, `_` and `-`. Names that had to be changed are
/// told apart by a part of their hash.
pub fn fit(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(fits) {
        return name.to_owned();
    }
    let plain: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    format!("{plain}-{}", hash_digits(name.as_bytes(), 8))
}

/// The first hexadecimal digits of a SHA-256, an even number of them.
pub fn hash_digits(bytes: &[u8], digits: usize) -> String {
    Sha256::digest(bytes).iter().take(digits / 2).map(|byte| format!("{byte:02x}")).collect()
}

/// A name as one part of a subject: dots would divide it. Names hold no slashes, so that this can be undone.
pub fn token(name: &str) -> String {
    name.replace('.', "/")
}

/// What [`token`] was made of.
pub fn of_token(token: &str) -> String {
    token.replace('/', ".")
}

/// The incarnation in a subject of a batch.
pub fn incarnation_of(subject: &str) -> Option<String> {
    subject.split('.').nth(2).map(str::to_owned)
}

/// The batch that a stream of this name is a part of, if it is one.
pub fn batch_of_stream(name: &str) -> Option<String> {
    let rest = name.strip_prefix("OBJ_").or_else(|| name.strip_prefix("KV_")).unwrap_or(name).strip_prefix("MOTA-")?;
    let batch = rest.strip_suffix("-work").or_else(|| rest.strip_suffix("-journal")).unwrap_or(rest);
    Some(batch.to_owned())
}

/// The names of the parts of one batch, in one incarnation of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The batch.
    pub batch: String,
    /// Which publication of it: messages of an earlier one reach nothing.
    pub incarnation: String,
}

impl Names {
    /// The stream of work to do.
    pub fn work_stream(&self) -> String {
        format!("MOTA-{}-work", self.batch)
    }

    /// The stream of records.
    pub fn journal_stream(&self) -> String {
        format!("MOTA-{}-journal", self.batch)
    }

    /// The bucket of contents, and that of counts.
    pub fn bucket(&self) -> String {
        format!("MOTA-{}", self.batch)
    }

    /// The streams of all of it, that of work first.
    pub fn streams(&self) -> [String; 4] {
        let bucket = self.bucket();
        [self.work_stream(), self.journal_stream(), format!("OBJ_{bucket}"), format!("KV_{bucket}")]
    }

    /// The subject of an item of work; `*` for all of one doer or of all.
    pub fn work(&self, doer: &str, item: &str) -> String {
        format!("mota.{}.{}.work.{}.{}", self.batch, self.incarnation, token(doer), token(item))
    }

    /// The subject of an item's records; `*` for all.
    pub fn journal(&self, item: &str) -> String {
        format!("mota.{}.{}.journal.{}", self.batch, self.incarnation, token(item))
    }

    /// The subject on which a worker tells how it is doing; `*` for all.
    pub fn status(&self, worker: &str) -> String {
        format!("mota.{}.{}.status.{}", self.batch, self.incarnation, token(worker))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_stay_different() {
        assert_eq!(batch_id(Kind::Run, "complex-rerun"), "run-complex-rerun");
        let dotted = batch_id(Kind::Run, "a.b");
        assert!(dotted.starts_with("run-a_b-") && dotted != batch_id(Kind::Run, "a_b"), "{dotted}");
        assert_ne!(batch_id(Kind::Run, "a.b.c"), batch_id(Kind::Run, "a.b_c"));
        let names = Names { batch: dotted, incarnation: "Xy9".into() };
        assert_eq!(incarnation_of(&names.journal(">")).as_deref(), Some("Xy9"));
        let of = |name: String| batch_of_stream(&name);
        let parts = [names.work_stream(), names.journal_stream(), format!("OBJ_{}", names.bucket())];
        assert!(parts.into_iter().all(|part| of(part).as_deref() == Some(names.batch.as_str())));
        assert_eq!((of("KV_MOTA".into()), of("OTHER-work".into())), (None, None));
        let id = "gpt-4.1.complex.route.0.abcd1234";
        assert_eq!((of_token(&token(id)).as_str(), token(id).contains('.')), (id, false));
    }
}
