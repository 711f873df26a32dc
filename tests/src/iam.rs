//! Enforces the policies of `template.yaml`: a function's calls without permission are refused as by AWS, and permitted
//! ones are recorded.

use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsInput;
use aws_sdk_s3::operation::delete_object::DeleteObjectInput;
use aws_sdk_s3::operation::get_object::GetObjectInput;
use aws_sdk_s3::operation::head_object::HeadObjectInput;
use aws_sdk_s3::operation::list_objects_v2::ListObjectsV2Input;
use aws_sdk_s3::operation::put_object::PutObjectInput;
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::interceptors::Intercept;
use aws_smithy_runtime_api::client::interceptors::context::{
    BeforeDeserializationInterceptorContextRef, BeforeSerializationInterceptorContextRef, Input,
};
use aws_smithy_runtime_api::client::orchestrator::Metadata;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::config_bag::ConfigBag;

use crate::template::{self, Actions};

/// The permitted and the used actions of the functions of one service.
#[derive(Clone, Debug)]
pub struct Iam {
    allowed: Arc<Actions>,
    used: Arc<Mutex<Actions>>,
}

impl Default for Iam {
    fn default() -> Self {
        Self { allowed: Arc::new(template::allowed()), used: Arc::default() }
    }
}

impl Iam {
    /// The actions that each function may take by its policies.
    #[must_use]
    pub fn allowed(&self) -> Actions {
        self.allowed.as_ref().clone()
    }

    /// The actions that each function has taken.
    #[must_use]
    pub fn used(&self) -> Actions {
        self.used.lock().unwrap().clone()
    }

    /// An interceptor for the clients of `function`.
    #[must_use]
    pub fn guard(&self, function: &str) -> Guard {
        Guard { iam: self.clone(), function: function.to_owned() }
    }
}

/// Intercepts every call of one function's clients, presigning included.
#[derive(Debug)]
pub struct Guard {
    iam: Iam,
    function: String,
}

impl Guard {
    fn check(&self, action: String, key: Option<&str>) -> Result<(), BoxError> {
        let allowed = self.iam.allowed.get(&self.function).is_some_and(|actions| actions.contains(&action));
        if !allowed || key.is_some_and(|key| !key.starts_with("uploads/")) {
            return Err(format!("{} is not authorized to perform: {action}", self.function).into());
        }
        self.iam.used.lock().unwrap().entry(self.function.clone()).or_default().insert(action);
        Ok(())
    }
}

impl Intercept for Guard {
    fn name(&self) -> &'static str {
        "Guard"
    }

    fn read_before_serialization(
        &self,
        context: &BeforeSerializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        bag: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let operation = bag.load::<Metadata>().ok_or("no operation")?;
        if let Some(transaction) = context.input().downcast_ref::<TransactWriteItemsInput>() {
            // authorized as its parts
            return parts(transaction).into_iter().try_for_each(|action| self.check(action, None));
        }
        let service = operation.service().to_lowercase();
        let action = match operation.name() {
            // operations whose permission has another name
            "ListObjectsV2" => "ListBucket",
            "HeadObject" => "GetObject",
            name => name,
        };
        self.check(format!("{service}:{action}"), key(context.input()))
    }

    /// Only callers with permission to list a bucket learn that an object is missing.
    fn read_before_deserialization(
        &self,
        context: &BeforeDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        bag: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let of_object = bag.load::<Metadata>().is_some_and(|operation| operation.name() == "GetObject");
        match context.response().status().as_u16() {
            404 if of_object => self.check("s3:ListBucket".to_owned(), None),
            _ => Ok(()),
        }
    }
}

fn parts(transaction: &TransactWriteItemsInput) -> Vec<String> {
    let mut actions = Vec::new();
    for item in transaction.transact_items() {
        let kinds = [
            (item.put().is_some(), "PutItem"),
            (item.update().is_some(), "UpdateItem"),
            (item.delete().is_some(), "DeleteItem"),
            (item.condition_check().is_some(), "ConditionCheckItem"),
        ];
        actions.extend(kinds.iter().filter(|(there, _)| *there).map(|(_, name)| format!("dynamodb:{name}")));
    }
    actions
}

/// The key of an S3 call, or the prefix of a listing.
fn key(input: &Input) -> Option<&str> {
    let get = input.downcast_ref::<GetObjectInput>().and_then(GetObjectInput::key);
    let head = input.downcast_ref::<HeadObjectInput>().and_then(HeadObjectInput::key);
    let put = input.downcast_ref::<PutObjectInput>().and_then(PutObjectInput::key);
    let delete = input.downcast_ref::<DeleteObjectInput>().and_then(DeleteObjectInput::key);
    let list = input.downcast_ref::<ListObjectsV2Input>().and_then(ListObjectsV2Input::prefix);
    get.or(head).or(put).or(delete).or(list)
}
