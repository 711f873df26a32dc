//! The text printed after the start.

use std::io::Write;

use super::bridge::DOCKER_BRIDGE;
use crate::stores::embedded::host::FOR_CONTAINERS;
use crate::{Embedded, Listen, Service};

/// Prints the addresses and, if there is a new demo account, how to use its token. The addresses of the stores,
/// which few people need, come last.
pub(super) fn print(service: &Service, wanted: Listen, demo_token: Option<&str>) {
    let origin = service.origin();
    let mut text = format!(
        "PDF Analysis Service\n\n  \
         Console   {origin}/\n  \
         API       {origin}/api/v1\n",
    );
    if let Some(metrics) = service.metrics() {
        text.push_str(&format!("  Metrics   {metrics}\n"));
    }
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
             Analyze a PDF with it:\n\n  \
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
    text.push_str(&format!("\nEmbedded stores, for debugging:\n\n  DynamoDB  {dynamodb}\n  S3        {s3}\n"));
    if let Some(stores) = service.embedded() {
        text.push_str(&for_containers(stores));
    }
    // A closed stdout does not stop the service.
    let _ = writeln!(std::io::stdout(), "{text}\nCtrl-C stops it.");
}

/// The stores' addresses for containers, if they are served.
fn for_containers(stores: &Embedded) -> String {
    let Some(containers) = stores.containers() else { return String::new() };
    let (dynamodb, s3) = stores.ports();
    let listening = match containers.bridge {
        Some(bridge) => format!("They listen at {bridge}, too."),
        None => format!(
            "No bridge of Docker's was found at {DOCKER_BRIDGE}: Docker Desktop needs none; else start Docker, or say where it is."
        ),
    };
    format!(
        "\nContainers reach them as http://{FOR_CONTAINERS}:{dynamodb} and http://{FOR_CONTAINERS}:{s3}.\n{listening}\n"
    )
}
