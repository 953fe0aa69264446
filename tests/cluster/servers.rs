//! The servers of these tests are what their options say.

use std::time::Duration;

use async_nats::ConnectOptions;
use async_nats::jetstream::{self, Context, stream};

use crate::greeting::Greeter;
use crate::server::{Access, ONE, Options, PLAIN, Server, TWO, Tls, free_port, greeting};

/// Makes a stream of one's own, for all subjects below `things`.
async fn things(context: &Context) -> Result<stream::Stream, String> {
    let config =
        stream::Config { name: "THINGS".into(), subjects: vec!["things.>".into()], ..stream::Config::default() };
    context.create_stream(config).await.map_err(|error| error.to_string())
}

async fn put(context: &Context, bytes: usize) -> Result<u64, String> {
    let sent = context.publish("things.one", vec![b'x'; bytes].into()).await.map_err(|error| error.to_string())?;
    sent.await.map(|stored| stored.sequence).map_err(|error| error.to_string())
}

/// What comes of something once the client has found the server again.
async fn again<T, E: std::fmt::Debug>(attempt: impl AsyncFn() -> Result<T, E>) -> T {
    for _ in 0..20 {
        if let Ok(done) = attempt().await {
            return done;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    attempt().await.expect("an answer of a server that was started again")
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_server_killed_and_started_again_has_kept_everything() {
    let mut server = Server::start(Options::default());
    let info = greeting(server.url().rsplit(':').next().unwrap().parse().unwrap()).expect("a greeting");
    assert_eq!(info["jetstream"], true, "{info}");
    let context = jetstream::new(async_nats::connect(server.url()).await.unwrap());
    let stream = things(&context).await.unwrap();
    for expected in 1..=100 {
        assert_eq!(put(&context, 1_000).await, Ok(expected));
    }
    server.kill();
    server.restart();
    let last = again(async || stream.get_raw_message(100).await).await;
    assert_eq!(last.payload.len(), 1_000);
    assert_eq!(put(&context, 1_000).await, Ok(101));
    assert!(server.stored() > 100_000, "{} bytes", server.stored());
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_full_server_refuses_until_it_has_more_room() {
    let mut server = Server::start(Options { storage: Some(1_000_000), ..Options::default() });
    let context = jetstream::new(async_nats::connect(server.url()).await.unwrap());
    things(&context).await.unwrap();
    let mut stored = 0;
    let refusal = loop {
        match put(&context, 100_000).await {
            Ok(sequence) => stored = sequence,
            Err(refusal) => break refusal,
        }
    };
    assert!((5..=10).contains(&stored), "{stored} messages of 100,000 bytes");
    assert!(refusal.contains("insufficient"), "{refusal}");
    server.options.storage = Some(10_000_000);
    server.restart();
    assert_eq!(again(async || put(&context, 100_000).await).await, stored + 1);
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn accounts_see_nothing_of_each_other() {
    let server = Server::start(Options { access: Access::Passwords, ..Options::default() });
    assert!(async_nats::connect(server.url()).await.is_err());
    let login = async |(name, password): (&str, &str)| {
        ConnectOptions::with_user_and_password(name.into(), password.into()).connect(server.url()).await
    };
    assert!(login(("one", "wrong")).await.is_err());
    let one = jetstream::new(login(ONE).await.unwrap());
    let two = jetstream::new(login(TWO).await.unwrap());
    things(&one).await.unwrap();
    assert_eq!(put(&one, 10).await, Ok(1));
    assert!(two.get_stream("THINGS").await.is_err());
    let plain = jetstream::new(login(PLAIN).await.unwrap());
    assert!(things(&plain).await.is_err());
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_token_or_a_file_of_credentials_opens_the_door() {
    let server = Server::start(Options { access: Access::Token("s3cret-token"), ..Options::default() });
    assert!(async_nats::connect(server.url()).await.is_err());
    let client = ConnectOptions::with_token("s3cret-token".into()).connect(server.url()).await.unwrap();
    assert!(things(&jetstream::new(client)).await.is_ok());

    let server = Server::start(Options { access: Access::Credentials, ..Options::default() });
    assert!(async_nats::connect(server.url()).await.is_err());
    let options = ConnectOptions::with_credentials_file(server.credentials()).await.unwrap();
    let client = options.connect(server.url()).await.unwrap_or_else(|error| panic!("{error}\n{}", server.log()));
    assert!(things(&jetstream::new(client)).await.is_ok());
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn encrypted_servers_show_a_certificate_and_may_ask_for_one() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = Server::start(Options { tls: Tls::Server, ..Options::default() });
    let certificates = server.certificates();
    let trusting = || ConnectOptions::new().add_root_certificates(certificates.ca.clone());
    assert!(trusting().connect(server.url()).await.is_ok(), "{}", server.log());
    let other = ConnectOptions::new().add_root_certificates(certificates.other_ca.clone());
    assert!(other.connect(server.url()).await.is_err());

    let server = Server::start(Options { tls: Tls::Mutual, ..Options::default() });
    let certificates = server.certificates();
    let trusting = || ConnectOptions::new().add_root_certificates(certificates.ca.clone());
    assert!(trusting().connect(server.url()).await.is_err());
    let (certificate, key) = certificates.client.clone();
    let client = trusting().add_client_certificate(certificate, key).connect(server.url()).await;
    assert!(things(&jetstream::new(client.unwrap())).await.is_ok());
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_server_may_store_nothing_or_name_its_domain() {
    let server = Server::start(Options { jetstream: false, ..Options::default() });
    assert!(things(&jetstream::new(async_nats::connect(server.url()).await.unwrap())).await.is_err());

    let server = Server::start(Options { domain: Some("lab"), ..Options::default() });
    let client = async_nats::connect(server.url()).await.unwrap();
    assert!(things(&jetstream::with_domain(client, "lab")).await.is_ok());
}

#[tokio::test]
async fn an_old_server_is_taken_for_what_it_says() {
    assert!(greeting(free_port()).is_none());
    let old = Greeter::nats("2.9.10");
    assert_eq!(greeting(old.port).expect("a greeting")["version"], "2.9.10");
    let client = async_nats::connect(&old.url).await.unwrap();
    assert_eq!(client.server_info().version, "2.9.10");
    assert!(greeting(Greeter::start("HTTP/1.1 400 Bad Request\r\n\r\n".into()).port).is_none());
}
