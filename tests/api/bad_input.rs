//! Bad requests as data: each names what it sends, which status and code it gets, and what it may change.

mod authorization;
mod case;
mod events;
mod headers;
mod json;
mod lists;
mod midnight;
mod multipart;
mod paths;
mod sizes;
mod token_names;
mod world;

use world::World;

#[tokio::test]
async fn bad_requests_get_their_answer_and_change_nothing() {
    let world = World::new().await;
    let mut cases = authorization::cases(&world).await;
    for theme in [
        paths::cases(&world),
        lists::cases(&world),
        token_names::cases(&world),
        json::cases(&world).await,
        multipart::cases(&world),
        headers::cases(&world),
        sizes::cases(&world),
        events::cases(&world),
    ] {
        cases.extend(theme);
    }
    let count = cases.len();
    let mut wrong = Vec::new();
    let mut state = world.state(None).await;
    for case in cases {
        if let Err(difference) = case.run(&world, &mut state).await {
            wrong.push(difference);
        }
    }
    println!("{count} bad requests, {} not as expected", wrong.len());
    assert!(count >= 150, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    world.still_works().await;
}
