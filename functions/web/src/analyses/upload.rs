//! The console's uploads: a ticket for the script's three steps, the analysis itself, and the comparison of two files.

use chrono::TimeDelta;
use lambda_http::http::StatusCode;
use shared::error::Error;
use shared::http::{self, Call, Fields, Reply};
use shared::ids::UploadId;
use shared::inputs::announcement::Announcement;
use shared::inputs::pair::PairForm;
use shared::inputs::submission::{RepeatKeys, Submission};
use shared::inputs::upload_form::UploadForm;
use shared::quota;
use shared::use_cases::analyze::Analyzed;
use shared::use_cases::stage;

use super::dashboard;
use crate::app::App;
use crate::failure::for_people;
use crate::origin;
use crate::response_format::ResponseFormat;
use crate::session::{self, Session};

/// Lifetime of an agent's upload request.
const AGENT_REQUEST_LIFETIME: TimeDelta = TimeDelta::hours(1);

/// `POST /dashboard/uploads`: a ticket to upload a file to the bucket, by its path only if the service forwards it: a
/// page's script reaches its own origin under any name. Refused for a file that could not be analyzed today.
pub(crate) async fn stage(app: &App, call: &mut Call) -> Result<Reply, Error> {
    origin::check(call)?;
    let session = session::current(&app.store, call).await?;
    session.check_header(call)?;
    session.caller.admit(None, quota::ANALYSIS)?;
    let fields = Fields::json(call, "The body must be an object: filename, file_size, sha256.")?;
    let file = Announcement::of(&fields, "file_size")?;
    // the upload that an agent of the account requested
    let asked = fields.text("upload_id").and_then(UploadId::parse).filter(|asked| {
        let age = session.caller.quota.now - asked.given_at();
        (TimeDelta::zero()..AGENT_REQUEST_LIFETIME).contains(&age)
    });
    let own = app.uploads.service_origin(|| call.origin())?.map(|_| "");
    let ticket =
        stage::stage_as(&app.store, &app.uploads, &session.caller, &file, (asked, own), call.deadline()).await?;
    Ok(Reply::data(&ticket)?.status(StatusCode::CREATED))
}

/// `POST /dashboard/analyses`: analyzes a staged upload for the script, or a form's file without it.
pub(crate) async fn analyze(app: &App, call: &mut Call) -> Result<Reply, Error> {
    origin::check(call)?;
    match ResponseFormat::of(call) {
        ResponseFormat::ScriptJson => analyze_staged(app, call).await,
        _ => analyze_form(app, call).await,
    }
}

async fn analyze_staged(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let keys = RepeatKeys::peek(call);
    let (session, found) = session::current_with(&app.store, call, &keys.rows()).await?;
    session.check_header(call)?;
    let first = keys.first_answer(&found, call.now)?;
    session.caller.admit(first.as_ref(), quota::ANALYSIS)?;
    let submission = Submission::read(call, keys)?;
    let analyzed = app.analyzer.answer(&session.caller, submission, first, call.deadline()).await?;
    call.record(analyzed.outcome, analyzed.verdict, analyzed.quota);
    Reply::analyzed(&analyzed.entry, analyzed.remaining)
}

async fn analyze_form(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let read = |call: &mut Call| {
        let mut form = UploadForm::read(call)?;
        Ok((form.csrf.take(), Submission::of_page(form)))
    };
    submitted(app, call, read, quota::ANALYSIS).await
}

/// `POST /dashboard/comparisons`: two files of an analysis' page, staged by its script or in its form.
pub(crate) async fn compare(app: &App, call: &mut Call) -> Result<Reply, Error> {
    origin::check(call)?;
    if ResponseFormat::of(call) == ResponseFormat::ScriptJson {
        return compare_staged(app, call).await;
    }
    let read = |call: &mut Call| {
        let mut form = PairForm::read(call)?;
        Ok((form.csrf.take(), Submission::of_pair_page(form)))
    };
    submitted(app, call, read, quota::COMPARISON).await
}

async fn compare_staged(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let keys = RepeatKeys::peek_pair(call);
    let (session, found) = session::current_with(&app.store, call, &keys.rows()).await?;
    session.check_header(call)?;
    let first = keys.first_answer(&found, call.now)?;
    session.caller.admit(first.as_ref(), quota::COMPARISON)?;
    let submission = Submission::read_pair(call, keys)?;
    let compared = app.analyzer.answer(&session.caller, submission, first, call.deadline()).await?;
    call.record(compared.outcome, compared.verdict, compared.quota);
    Reply::analyzed(&compared.entry, compared.remaining)
}

/// Reads a form with its CSRF token, and redirects to the page of the stored result, or shows the form with its errors.
async fn submitted(
    app: &App,
    call: &mut Call,
    read: impl FnOnce(&mut Call) -> Result<(Option<String>, Submission), Error>,
    checks: u64,
) -> Result<Reply, Error> {
    let session = session::current(&app.store, call).await?;
    let stored = match read(call) {
        Ok((csrf, submission)) => {
            session.check(csrf.as_deref())?;
            answer(app, call, &session, submission, checks).await
        }
        Err(error) => Err(error),
    };
    match stored {
        Ok(analyzed) => Ok(Reply::see_other(format!("/analyses/{}", analyzed.entry.id()))),
        Err(error) => refuse(app, call, &session, error).await,
    }
}

async fn answer(
    app: &App,
    call: &mut Call,
    session: &Session,
    submission: Submission,
    checks: u64,
) -> Result<Analyzed, Error> {
    let (caller, keys) = (&session.caller, &submission.keys);
    let first = match keys.as_slice() {
        [] => None,
        keys => app.store.answer_to(caller.user, keys, call.now, call.deadline()).await?,
    };
    caller.admit(first.as_ref(), checks)?;
    let analyzed = app.analyzer.answer(caller, submission, first, call.deadline()).await?;
    call.record(analyzed.outcome, analyzed.verdict, analyzed.quota);
    Ok(analyzed)
}

/// Shows errors of the file on the page where it was chosen.
async fn refuse(app: &App, call: &Call, session: &Session, error: Error) -> Result<Reply, Error> {
    let message = match error {
        Error::AnalysisFailed(_)
        | Error::ComparisonFailed(..)
        | Error::DailyLimitExceeded { .. }
        | Error::RateLimited
        | Error::Unconfirmed(_)
        | Error::TooLarge(_) => for_people(&error),
        Error::Invalid(_) => "Choose a PDF first; a reference has at most 64 characters.".to_owned(),
        error => return Err(error),
    };
    let page = dashboard::refused(app, call, session, &message).await?;
    Ok(http::page(&error, Some(&session.caller.quota), |_, _| page))
}
