//! The parts of the transaction: what each changes, and on what condition.

use aws_sdk_dynamodb::types::{Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update};

use super::Commit;
use crate::error::Error;
use crate::store::analyses::day_expiry;
use crate::store::idempotency::StoredAnswer;
use crate::store::item::{instant, number, text};
use crate::store::key::{Row, key};
use crate::store::transact::built;
use crate::verdict;

impl Commit<'_> {
    /// The transaction, in the order of [`super`]'s constants.
    pub(super) fn items(&self) -> Result<Vec<TransactWriteItem>, Error> {
        let mut items = vec![self.account()?, self.counter()?, self.analysis()?, self.metadata()?];
        if let Some(fingerprint) = self.new.fingerprint {
            let number = self.id.number();
            let answer = StoredAnswer { fingerprint, number, remaining: self.quota.remaining() - 1 };
            for request in self.new.keys {
                items.push(answer.part(self.store, self.user, *request, self.quota.now)?);
            }
        }
        Ok(items)
    }

    /// The account's analyses go up by one, if they are as last seen and the account is open.
    fn account(&self) -> Result<TransactWriteItem, Error> {
        let account = Update::builder()
            .table_name(&self.store.table)
            .set_key(Some(key(self.user, Row::Account)))
            .update_expression("SET analyses = :next")
            .condition_expression(
                "analyses = :seen AND attribute_not_exists(deleting) AND attribute_not_exists(disabled)",
            )
            .expression_attribute_values(":next", number(self.id.number()))
            .expression_attribute_values(":seen", number(self.analyses))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        Ok(TransactWriteItem::builder().update(built(account.build())?).build())
    }

    /// The day's counter goes up by one, if it is as last seen.
    fn counter(&self) -> Result<TransactWriteItem, Error> {
        let day = self.quota.day();
        let counter = Update::builder()
            .table_name(&self.store.table)
            .set_key(Some(key(self.user, Row::Day(day))))
            .update_expression("ADD used :one SET expires = :expires")
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":expires", number(day_expiry(day)))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let counter = if self.quota.used == 0 {
            // the item may be there for its `failed`
            counter.condition_expression("attribute_not_exists(used)")
        } else {
            counter.condition_expression("used = :seen").expression_attribute_values(":seen", number(self.quota.used))
        };
        Ok(TransactWriteItem::builder().update(built(counter.build())?).build())
    }

    /// The analysis, if its number is free.
    fn analysis(&self) -> Result<TransactWriteItem, Error> {
        let analysis = Put::builder()
            .table_name(&self.store.table)
            .set_item(Some(key(self.user, Row::Analysis(self.id.number()))))
            .item("id", text(self.id.to_string()))
            .item("filename", text(self.new.filename))
            .item("file_size", number(self.new.file_size))
            .item("verdict", text(verdict::name(self.new.verdict)))
            .item("analyzed_at", instant(self.quota.now))
            .condition_expression("attribute_not_exists(pk)")
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        Ok(TransactWriteItem::builder().put(built(analysis.build())?).build())
    }

    fn metadata(&self) -> Result<TransactWriteItem, Error> {
        let metadata = Put::builder()
            .table_name(&self.store.table)
            .set_item(Some(key(self.user, Row::Metadata(self.id.number()))))
            .item("metadata", text(self.new.metadata.get()));
        Ok(TransactWriteItem::builder().put(built(metadata.build())?).build())
    }
}
