//! An operator, an account with JetStream and a user, as NATS knows them in its decentralised form: signed claims, and a
//! file of credentials that the user shows. Knows of no server process.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use serde_json::{Value, json};

/// An operator and one user.
pub struct Operator {
    /// What a server that trusts the operator has in its configuration.
    pub config: String,
    /// The user's file of credentials.
    pub credentials: PathBuf,
}

impl Operator {
    /// Makes new keys, and the user's file in a folder.
    pub fn make(folder: &Path) -> Operator {
        let operator = KeyPair::new_operator();
        let (system, account, user) = (KeyPair::new_account(), KeyPair::new_account(), KeyPair::new_user());
        let trusted = json!({ "type": "operator", "version": 2, "system_account": system.public_key() });
        let trusted = claims("operator", &operator, &operator, &trusted);
        let system_claims = claims("SYS", &system, &operator, &limits(0));
        let account_claims = claims("LAB", &account, &operator, &limits(-1));
        let user_claims = json!({ "type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1 });
        let user_claims = claims("worker", &user, &account, &user_claims);

        let config = format!(
            "operator: {trusted}\nresolver: MEMORY\nresolver_preload {{\n  {}: {system_claims}\n  {}: {account_claims}\n}}\n",
            system.public_key(),
            account.public_key(),
        );
        let seed = user.seed().expect("a key pair with a seed");
        let credentials = folder.join("user.creds");
        let text = format!(
            "-----BEGIN NATS USER JWT-----\n{user_claims}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
        );
        fs::write(&credentials, text).expect("the credentials' file");
        Operator { config, credentials }
    }
}

/// An account without limits but for its storage: -1 is no limit, 0 is none at all.
fn limits(storage: i64) -> Value {
    let mut limits = json!({ "mem_storage": storage, "disk_storage": storage, "wildcards": true });
    for unlimited in ["subs", "data", "payload", "imports", "exports", "conn", "leaf", "streams", "consumer"] {
        limits[unlimited] = json!(-1);
    }
    json!({ "type": "account", "version": 2, "limits": limits })
}

/// A token: what `nats` says of `subject`, signed by `issuer`.
fn claims(name: &str, subject: &KeyPair, issuer: &KeyPair, nats: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let header = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let body = json!({
        "jti": subject.public_key(), "iat": 1_700_000_000, "iss": issuer.public_key(), "sub": subject.public_key(),
        "name": name, "nats": nats,
    });
    let signed = format!("{}.{}", part(&header), part(&body));
    let signature = issuer.sign(signed.as_bytes()).expect("a key pair with a seed");
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}
