//! An answer of every call, as the service gave it.

use crate::tree::{Tree, read};

/// The answer of the call with this operation id.
pub(crate) fn of(operation: &str) -> Option<Tree> {
    let text = match operation {
        "analyzePdf" => include_str!("../examples/analyze-pdf.json"),
        "checkHealth" => include_str!("../examples/check-health.json"),
        "createToken" => include_str!("../examples/create-token.json"),
        "listAnalyses" => include_str!("../examples/list-analyses.json"),
        "listTokens" => include_str!("../examples/list-tokens.json"),
        "revokeToken" => include_str!("../examples/revoke-token.json"),
        "showAnalysis" => include_str!("../examples/show-analysis.json"),
        "showUser" => include_str!("../examples/show-user.json"),
        "stageUpload" => include_str!("../examples/stage-upload.json"),
        _ => return None,
    };
    Some(read(text))
}
