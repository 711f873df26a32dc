//! The dashboard's uploads: a ticket for the script's three steps, and the analysis itself.

use lambda_http::http::StatusCode;
use shared::announcement::Announcement;
use shared::error::Error;
use shared::http::{self, Call, Reply, is_json};
use shared::ids::AnalysisId;
use shared::page::Page;
use shared::submission::{RepeatKeys, Submission};
use shared::upload_form::UploadForm;

use crate::session::Session;
use crate::{App, origin};

impl App {
    /// `POST /dashboard/uploads`: a ticket to upload a file straight to S3. Not for a file that
    /// could not be analysed today.
    pub(crate) async fn stage(&self, call: &mut Call) -> Result<Reply, Error> {
        origin::check(call)?;
        let session = self.session(call).await?;
        session.check_header(call)?;
        session.caller.admit(None)?;
        let Announcement { filename, file_size } = Announcement::read(call)?;
        let ticket = self.uploads.ticket(session.caller.user, &filename, file_size, call.now).await?;
        Ok(Reply::data(&ticket)?.status(StatusCode::CREATED))
    }

    /// `POST /dashboard/analyses`: of a staged upload for the script, of a form's file without one.
    pub(crate) async fn analyze(&self, call: &mut Call) -> Result<Reply, Error> {
        origin::check(call)?;
        if is_json(call) { self.analyze_staged(call).await } else { self.analyze_form(call).await }
    }

    async fn analyze_staged(&self, call: &mut Call) -> Result<Reply, Error> {
        let keys = RepeatKeys::peek(call);
        let (session, found) = self.session_with(call, &keys.rows()).await?;
        session.check_header(call)?;
        let first = keys.first_answer(&found, call.now)?;
        session.caller.admit(first.as_ref())?;
        let submission = Submission::read(call, keys)?;
        let analyzed = self.analyzer.answer(&session.caller, submission, first, call.deadline()).await?;
        call.note(analyzed.outcome, analyzed.quota);
        Reply::analyzed(&analyzed.analysis, analyzed.remaining)
    }

    async fn analyze_form(&self, call: &mut Call) -> Result<Reply, Error> {
        let session = self.session(call).await?;
        let form = UploadForm::read(call);
        if let Ok(form) = &form {
            session.check(form.csrf.as_deref())?;
        }
        match self.analyze_file(call, &session, form).await {
            Ok(id) => Ok(Reply::see_other(format!("/analyses/{id}"))),
            Err(error) => self.refuse(call, &session, error).await,
        }
    }

    async fn analyze_file(
        &self,
        call: &mut Call,
        session: &Session,
        form: Result<UploadForm, Error>,
    ) -> Result<AnalysisId, Error> {
        let submission = Submission::of_form(form?, RepeatKeys::default());
        session.caller.admit(None)?;
        let analyzed = self.analyzer.answer(&session.caller, submission, None, call.deadline()).await?;
        call.note(analyzed.outcome, analyzed.quota);
        Ok(analyzed.analysis.id)
    }

    /// What is wrong with the file is said where it was chosen.
    async fn refuse(&self, call: &Call, session: &Session, error: Error) -> Result<Reply, Error> {
        let message = match error {
            Error::AnalysisFailed(_) | Error::DailyLimitExceeded | Error::RateLimited | Error::TooLarge(_) => {
                http::sentence(&error)
            }
            Error::Invalid(_) => "Choose a PDF first.",
            error => return Err(error),
        };
        let page = self.dashboard_page(call, session, Page::parse("")?, Some(message)).await?;
        Ok(http::page(&error, Some(&session.caller.quota), |_, _| page))
    }
}
