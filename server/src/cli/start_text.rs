//! What a person reads when the service has started.

use std::io::Write;

use crate::{Listen, Service};

/// Prints the addresses and, if there is a new demo account, how to use its token. The addresses of the stores,
/// which few people need, come last.
pub(super) fn print(service: &Service, wanted: Listen, demo_token: Option<&str>) {
    let origin = service.origin();
    let mut text = format!(
        "PDF Analysis Service\n\n  \
         Console   {origin}/\n  \
         API       {origin}/api/v1\n",
    );
    if let Listen::From(default) = wanted
        && default != service.address()
    {
        text.push_str(&format!(
            "\nAnother program listens on port {}, so this is {}. (--listen chooses another address.)\n",
            default.port(),
            service.address().port()
        ));
    }
    if let Some(token) = demo_token {
        text.push_str(&format!(
            "\nDemo account's API token, shown this once:\n\n  {token}\n\n\
             Analyse a PDF with it:\n\n  \
             curl -H 'Authorization: Bearer {token}' -F file=@document.pdf {origin}/api/v1/pdf/analyze\n"
        ));
    }
    let (dynamodb, s3) = match service.embedded() {
        Some(stores) => (stores.dynamodb_endpoint(), stores.s3_endpoint()),
        None => {
            let template = service.template();
            (format!("table {} in AWS", template.table.name), format!("bucket {} in AWS", template.bucket.name))
        }
    };
    text.push_str(&format!(
        "\nIts stores, for whoever wants to look into them:\n\n  DynamoDB  {dynamodb}\n  S3        {s3}\n"
    ));
    // A closed stdout is no reason to stop serving.
    let _ = writeln!(std::io::stdout(), "{text}\nCtrl-C stops it.");
}
