//! Certificates made for one test by `openssl`: an authority, a server on loopback, a client, and an authority that signed
//! neither. Valid for a day. Knows of no server process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// PEM files.
pub struct Certificates {
    /// The authority that signed the server's and the client's.
    pub ca: PathBuf,
    /// Another authority.
    pub other_ca: PathBuf,
    /// A client's certificate and key.
    pub client: (PathBuf, PathBuf),
    server: (PathBuf, PathBuf),
}

impl Certificates {
    /// Makes them in a folder.
    pub fn make(folder: &Path) -> Certificates {
        let (ca, other_ca) = (authority(folder, "ca"), authority(folder, "other-ca"));
        let server =
            signed(folder, "server", "subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth\n");
        let client = signed(folder, "client", "subjectAltName=DNS:worker\nextendedKeyUsage=clientAuth\n");
        Certificates { ca, other_ca, client, server }
    }

    /// What a server's configuration says of them; `verify` asks clients for a certificate.
    pub fn config(&self, verify: bool) -> String {
        let (certificate, key) = &self.server;
        format!(
            "tls {{\n  cert_file: {certificate:?}\n  key_file: {key:?}\n  ca_file: {:?}\n  verify: {verify}\n}}\n",
            self.ca
        )
    }
}

const KEY: [&str; 5] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

fn authority(folder: &Path, name: &str) -> PathBuf {
    let (key, pem) = (format!("{name}.key"), format!("{name}.pem"));
    let subject = format!("/CN=mota test {name}");
    let end = ["-days", "1", "-subj", &subject, "-keyout", &key, "-out", &pem];
    openssl(folder, &[&["req", "-x509"], &KEY[..], &end].concat());
    folder.join(pem)
}

/// A certificate and its key, signed by the authority `ca`.
fn signed(folder: &Path, name: &str, extensions: &str) -> (PathBuf, PathBuf) {
    let [key, pem, request, extra] = ["key", "pem", "csr", "ext"].map(|kind| format!("{name}.{kind}"));
    let subject = format!("/CN=mota test {name}");
    openssl(folder, &[&["req"], &KEY[..], &["-subj", &subject, "-keyout", &key, "-out", &request]].concat());
    fs::write(folder.join(&extra), extensions).expect("the certificate's extensions");
    let sign = ["x509", "-req", "-in", &request, "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
    openssl(folder, &[&sign[..], &["-days", "1", "-extfile", &extra, "-out", &pem]].concat());
    (folder.join(pem), folder.join(key))
}

fn openssl(folder: &Path, arguments: &[&str]) {
    let output = Command::new("openssl").args(arguments).current_dir(folder).output();
    let output = output.expect("these tests need openssl on the path");
    assert!(output.status.success(), "openssl {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}
