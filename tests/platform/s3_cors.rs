//! What a browser on the console's page may do with the bucket.

use reqwest::{Client, Method, Response, StatusCode};
use server::{Options, Service};

async fn preflight(service: &Service, method: &str) -> Response {
    let url = format!("{}/{}/uploads/u/1", service.embedded().unwrap().s3_endpoint(), service.template().bucket.name);
    let request = Client::new().request(Method::OPTIONS, url).header("Origin", "http://127.0.0.1:3000");
    let request = request.header("Access-Control-Request-Headers", "content-type,x-amz-meta-filename");
    request.header("Access-Control-Request-Method", method).send().await.unwrap()
}

#[tokio::test]
async fn it_may_upload_and_nothing_else() {
    let service = Service::start(Options::default()).await.unwrap();
    let put = preflight(&service, "PUT").await;
    assert_eq!(put.status(), StatusCode::OK);
    assert_eq!(put.headers()["access-control-allow-origin"], "*");
    assert_eq!(put.headers()["access-control-allow-methods"], "PUT");
    assert_eq!(put.headers()["access-control-allow-headers"], "content-type,x-amz-meta-filename");
    let delete = preflight(&service, "DELETE").await;
    assert_eq!(delete.status(), StatusCode::FORBIDDEN);
    assert!(delete.text().await.unwrap().contains("<Code>AccessForbidden</Code>"));

    let url = format!("{}/{}/uploads/u/1", service.embedded().unwrap().s3_endpoint(), service.template().bucket.name);
    let with_origin = |method| Client::new().request(method, &url).header("Origin", "http://127.0.0.1:3000").send();
    let refused = with_origin(Method::PUT).await.unwrap();
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    assert_eq!(refused.headers()["access-control-allow-origin"], "*", "the page has to see why");
    let read = with_origin(Method::GET).await.unwrap();
    assert!(!read.headers().contains_key("access-control-allow-origin"));
}
