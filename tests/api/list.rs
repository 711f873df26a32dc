//! GET /pdf.

use samples::small::pdf;
use tests::service::TestService;

#[tokio::test]
async fn pages_partition_the_analyses_newest_first() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for index in 0..7 {
        ada.analyze(&format!("{index}.pdf"), pdf("A")).await.expect(200);
    }
    for per_page in [1, 2, 3, 7, 100] {
        let mut names = Vec::new();
        let pages = 7_u64.div_ceil(per_page);
        for page in 1..=pages + 1 {
            let answer = ada.get(&format!("/pdf?page={page}&per_page={per_page}&unknown=1")).await.expect(200);
            let meta = &answer.json["meta"];
            assert_eq!((meta["current_page"].as_u64(), meta["last_page"].as_u64()), (Some(page), Some(pages)));
            assert_eq!((meta["per_page"].as_u64(), meta["total"].as_u64()), (Some(per_page), Some(7)));
            for row in answer.json["data"].as_array().unwrap() {
                names.push(row["filename"].as_str().unwrap().to_owned());
                assert!(row.get("metadata").is_none());
            }
        }
        assert_eq!(names, ["6.pdf", "5.pdf", "4.pdf", "3.pdf", "2.pdf", "1.pdf", "0.pdf"], "{per_page}");
    }
    let link = ada.get("/pdf?page=2&per_page=3").await.header("link").to_owned();
    assert!(link.contains("</api/v1/pdf?page=1&per_page=3>; rel=\"prev\""), "{link}");
    assert!(link.contains("</api/v1/pdf?page=3&per_page=3>; rel=\"next\""), "{link}");
}

#[tokio::test]
async fn an_empty_list_has_one_page_of_twenty() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let answer = ada.get("/pdf").await.expect(200);
    assert_eq!(
        answer.text,
        "{\"success\":true,\"data\":[],\"meta\":{\"current_page\":1,\"last_page\":1,\"per_page\":20,\"total\":0}}"
    );
}

#[tokio::test]
async fn pages_out_of_range_are_refused_by_field() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for query in
        ["page=0", "page=", "per_page=101", "per_page=0", "per_page=1.5", "page=abc", "page=1&page=1", "per_page=020"]
    {
        let answer = ada.get(&format!("/pdf?{query}")).await.expect(422);
        assert_eq!(answer.code(), "validation_failed", "{query}");
        let field = query.split('=').next().unwrap();
        assert!(answer.json["error"]["details"]["fields"][field][0].is_string(), "{query}: {}", answer.text);
    }
}
