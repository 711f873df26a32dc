//! Queries of rows from newer to older ones.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;

use super::row::{LISTED_ATTRIBUTES, summary};
use crate::analysis::Summary;
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UserId;
use crate::table::Store;
use crate::table::batch::found;
use crate::table::item::text;
use crate::table::key::{Row, partition};

impl Store {
    /// The analyses numbered `newest` down to `oldest`.
    pub(super) fn down_from(&self, user: UserId, newest: u64, oldest: u64) -> QueryFluentBuilder {
        self.down(user, Row::Analysis(newest), Row::Analysis(oldest))
    }

    /// The rows of a kind from `newest` down to `oldest`.
    pub(in crate::table) fn down(&self, user: UserId, newest: Row, oldest: Row) -> QueryFluentBuilder {
        self.client
            .query()
            .table_name(&self.table)
            .key_condition_expression("pk = :user AND sk BETWEEN :oldest AND :newest")
            .expression_attribute_values(":user", partition(user))
            .expression_attribute_values(":oldest", text(oldest.to_string()))
            .expression_attribute_values(":newest", text(newest.to_string()))
            .consistent_read(true)
            .scan_index_forward(false)
    }
}

/// The rows that a query finds, without their findings.
pub(super) async fn summaries(query: QueryFluentBuilder, deadline: Deadline) -> Result<Vec<Summary>, Error> {
    // `reference` is a reserved word
    let query = query
        .projection_expression(LISTED_ATTRIBUTES.join(", ") + ", #reference")
        .expression_attribute_names("#reference", "reference");
    found(query, deadline).await?.iter().map(summary).collect()
}

/// The limit of a query as DynamoDB's type.
pub(super) fn limit(rows: u64) -> i32 {
    i32::try_from(rows).unwrap_or(i32::MAX)
}
