//! Sizes at their limits.

use samples::small::pdf_of_size;
use tests::service::TestService;

const LARGEST: usize = 104_857_600;

#[tokio::test]
async fn the_largest_file_passes_and_one_byte_more_does_not() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let answer = ada.analyze("large.pdf", pdf_of_size("Large", LARGEST)).await.expect(200);
    assert_eq!(answer.json["data"]["file_size"], LARGEST);
    assert_eq!(answer.json["data"]["file_size_formatted"], "100.00 MB");
    assert_eq!(answer.json["data"]["metadata"]["document"]["title"], "Large");

    let refused = ada.analyze("larger.pdf", pdf_of_size("Larger", LARGEST + 1)).await.expect(413);
    assert_eq!(refused.code(), "file_too_large");
    assert_eq!(ada.used().await, 1);
}
