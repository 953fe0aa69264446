//! Whoever has lost an episode without noticing can add nothing to it, neither a record nor a mark.

use std::time::Duration;

use mota::cluster::journal::Mark;
use mota::cluster::run::store::JournalStore;
use mota::cluster::{Access, Batch, ClusterError, Link, Names};
use mota::eval::store::{EpisodeStore, StoreError};

use crate::server::{Options, Server};

const ID: &str = "a.b.none.0.abcdef00";

async fn link(server: &Server) -> Link {
    Access { url: server.url(), ..Access::default() }.connect("a test").await.expect("a connection")
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn who_has_lost_an_episode_adds_no_mark_to_it() {
    let server = Server::start(Options::default());
    let names = Names { batch: "run-fenced".into(), incarnation: "once".into() };
    let batch = Batch::make(&link(&server).await, names, Duration::from_secs(2)).await.expect("a batch");
    let store = |worker| JournalStore::new(batch.journal.clone(), worker, Duration::from_secs(5));
    let (slow, quick) = (store("slow"), store("quick"));
    slow.take(ID).await.expect("nobody has it");
    quick.take(ID).await.expect("the lease of the other is over");
    for mark in [Mark::Left, Mark::Back] {
        slow.take(ID).await.expect("taken again");
        quick.take(ID).await.expect("and lost again");
        let parted = slow.part(ID, Some((mark, "why"))).await;
        assert!(matches!(parted, Err(ClusterError::Moved { .. })), "{parted:?}");
    }
    quick.part(ID, Some((Mark::Left, "why"))).await.expect("whoever has it may");
    let lines = batch.journal.read(ID).await.expect("lines");
    let marks: Vec<Option<Mark>> = lines.iter().map(|line| line.mark).collect();
    assert_eq!(marks, [[Some(Mark::Taken); 6].as_slice(), &[Some(Mark::Left)]].concat());
    // Nobody has it now: there is nothing to part with.
    assert!(quick.part(ID, Some((Mark::Back, ""))).await.is_ok());
    assert_eq!(batch.journal.read(ID).await.expect("lines").len(), 7);
    let looked: Result<_, StoreError> = slow.look(ID).await;
    assert!(looked.expect("no record stands there").is_none());
}
