//! What a request costs beside the extraction: authentication, form, commit and list, on the embedded stores. Each is a
//! whole event answered by its function. Allocations are counted in the whole process, the stores' included.

use std::error::Error;
use std::future::ready;

use bench::measure::{Counting, allocations};
use chrono::Utc;
use criterion::Criterion;
use lambda_http::{Body, Context, Request, Response};
use samples::kinds::kinds;
use server::events::EventDraft;
use server::{Options, Service};
use shared::clock::Clock;
use shared::deadline::Deadline;
use shared::function::Function;
use shared::http::Call;
use shared::ids::TokenId;
use shared::inputs::upload_form::UploadForm;
use shared::journal::Journal;
use shared::platform::Platform;
use shared::runtime::{answer, request};
use shared::secret::ApiToken;
use shared::store::Store;
use shared::store::accounts::{Address, NewAccount};
use shared::store::tokens::NewToken;
use tokio::runtime::Runtime;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A service with one account, and the token of its owner.
struct Bench {
    runtime: Runtime,
    service: Service,
    token: String,
}

impl Bench {
    fn start() -> Result<Self, Box<dyn Error>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (service, token) = runtime.block_on(async {
            let service = Service::start(Options::default()).await?;
            let store = Store::new(service.dynamodb().clone(), &service.template().table.name);
            let new = NewAccount {
                name: "Bench",
                email: "bench@example.com",
                password_hash: None,
                daily_limit: u64::MAX >> 1,
                address: Address::Known,
            };
            let user =
                store.create_account(&new, Utc::now(), Deadline::unhurried()).await?.map_err(|_| "e-mail taken")?;
            let token = ApiToken::new(user, TokenId::new(Utc::now()))?;
            let new = NewToken { token: &token, name: "bench", ends_at: None, maker: None, generation: 0 };
            store.create_token(&new, Utc::now(), Deadline::unhurried()).await?;
            Ok::<_, Box<dyn Error>>((service, token.reveal()))
        })?;
        Ok(Self { runtime, service, token })
    }

    /// The event `name` with this file, as JSON.
    fn event(&self, name: &str, file: Option<&[u8]>) -> String {
        let mut draft = EventDraft::new(name, Utc::now()).expect("an event of events/");
        draft.authorize(&self.token).expect("an event of the API");
        if let Some(file) = file {
            draft.attach("bench.pdf", file).expect("an event with a file");
        }
        draft.finish().to_string()
    }

    /// Measures how `handle` answers the event on `platform`.
    fn measure<A: Future<Output = Response<Body>>>(
        &self,
        criterion: &mut Criterion,
        (name, event): (&str, &str),
        platform: &Platform,
        handle: impl Fn(Request) -> A,
    ) {
        let once = || {
            let answer = answer(event, Context::default(), platform, &handle, || ready(()));
            let answer = self.runtime.block_on(answer);
            assert_eq!(answer.status(), 200, "{name}");
        };
        once();
        println!("{name}: {} allocations", allocations(once).1);
        criterion.bench_function(name, |bencher| bencher.iter(once));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default().configure_from_args();
    let bench = Bench::start()?;
    let platform = |function| bench.service.platform(function).cloned().ok_or("no such function");
    let (user_platform, pdf_platform) = (platform("UserFunction")?, platform("PdfFunction")?);
    let (user, pdf) = (user::App::new(user_platform.clone()), pdf::App::new(pdf_platform.clone()));
    let files = kinds();
    let (_, tiny) = files.iter().find(|(name, _)| *name == "tiny").ok_or("no tiny file")?;
    let (_, typical) = files.iter().find(|(name, _)| *name == "typical").ok_or("no typical file")?;

    let authentication = ("authentication (GET /user)", &*bench.event("user-show", None));
    bench.measure(&mut criterion, authentication, &user_platform, |request| user.handle(request));
    let commit = ("commit (POST /pdf/analyze, tiny)", &*bench.event("pdf-analyze", Some(tiny)));
    bench.measure(&mut criterion, commit, &pdf_platform, |request| pdf.handle(request));
    let list = ("list (GET /pdf, 20 rows)", &*bench.event("pdf-list", None));
    bench.measure(&mut criterion, list, &pdf_platform, |request| pdf.handle(request));

    let event = bench.event("pdf-analyze", Some(typical));
    let read = || {
        let request = request(&event).expect("an event of ours");
        UploadForm::read(&mut Call::new(request, &Clock::system(), &Journal::log()))
    };
    println!("form ({} bytes): {} allocations", typical.len(), allocations(read).1);
    criterion.bench_function("form (event to file)", |bencher| bencher.iter(read));
    criterion.final_summary();
    Ok(())
}
