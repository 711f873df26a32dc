//! The routes of the function, and the headers of its answers.

use lambda_http::{Body, Response};
use shared::error::Error;
use shared::function::Function;
use shared::http::{Call, Reply};
use shared::platform::Platform;
use shared::store::Store;

use crate::analyses::{dashboard, delete, download, page, refer, share, shared_report, upload};
use crate::app::App;
use crate::failure::{self, Asked};
use crate::response_format::ResponseFormat;
use crate::{
    account, address, assets, confirm, docs, forgot, headers, health, home, login, logout, not_found, register, reset,
    tokens, trust,
};

/// Refuses a method that a page does not allow.
async fn refuse(_: &Store, _: &mut Call, allowed: &'static str) -> Result<Reply, Error> {
    Err(Error::MethodNotAllowed(allowed))
}

impl Function for App {
    shared::routes! {
        refuse by refuse;
        "/" => GET home::home;
        "/register" => GET register::show, POST register::register;
        "/login" => GET login::show, POST login::login;
        "/forgot" => GET forgot::show, POST forgot::forgot;
        "/reset/{secret}" => GET reset::show, POST reset::reset;
        "/confirm/{secret}" => GET confirm::show, POST confirm::confirm;
        "/address/{secret}" => GET address::show, POST address::change;
        "/logout" => GET logout::show, POST logout::logout;
        "/dashboard" => GET dashboard::show;
        "/dashboard/uploads" => POST upload::stage;
        "/dashboard/analyses" => POST upload::analyze;
        "/dashboard/comparisons" => POST upload::compare;
        "/dashboard/delete" => POST delete::selected;
        "/analyses/{id}" => GET page::show;
        "/analyses/{id}/json" => GET download::json;
        "/analyses/{id}/reference" => POST refer::refer;
        "/analyses/{id}/share" => POST share::share;
        "/analyses/{id}/unshare" => POST share::end;
        "/analyses/{id}/delete" => POST delete::one;
        "/s/{secret}" => GET shared_report::show;
        "/s/{secret}/json" => GET shared_report::json;
        "/tokens" => GET tokens::list, POST tokens::create;
        "/tokens/end" => POST tokens::end_all;
        "/tokens/{id}/revoke" => POST tokens::revoke;
        "/trust" => GET trust::list, POST trust::add;
        "/trust/{id}/remove" => POST trust::remove;
        "/account" => GET account::show;
        "/account/password" => POST account::change_password;
        "/account/email" => POST account::email::change;
        "/account/confirmation" => POST account::email::confirm;
        "/account/delete" => POST account::delete;
        "/api/v1/openapi.json" => GET docs::openapi::show;
        "/docs" => GET docs::overview;
        "/docs/{name}" => GET docs::page::show;
        "/assets/{name}" => GET assets::asset;
        "/health" => GET health::health;
        else not_found::not_found;
    }

    fn new(platform: Platform) -> Self {
        Self::on(platform)
    }

    fn finish(call: Call, outcome: Result<Reply, Error>) -> Response<Body> {
        let asked = Asked::of(&call, shared_report::is_link(call.path()));
        let response =
            call.finish_with(outcome, |error, request_id, quota| failure::reply(&asked, error, request_id, quota));
        let response = if asked.format == ResponseFormat::ApiJson { response } else { headers::protect(response) };
        if asked.is_link { shared_report::keep_private(response) } else { response }
    }

    async fn due(&self) {
        self.send_mails().await;
    }
}
