//! The routes of `template.yaml`, and the function that each goes to. Read line by line: the server's own reader of it
//! would have the embedded stores built as well.

use std::sync::LazyLock;

/// What API Gateway calls everything that no other route takes.
pub(crate) const DEFAULT: &str = "$default";

/// A route.
pub(crate) struct Route {
    /// As events call it, such as `GET /api/v1/pdf/{id}`.
    pub(crate) key: String,
    /// The function's binary.
    pub(crate) function: String,
}

/// All of them, in the template's order.
pub(crate) static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| read(include_str!("../../template.yaml")));

impl Route {
    /// Method and path.
    pub(crate) fn parts(&self) -> (&str, &str) {
        self.key.split_once(' ').unwrap_or(("ANY", &self.key))
    }
}

fn read(template: &str) -> Vec<Route> {
    let (mut routes, mut function) = (Vec::new(), "");
    for line in template.lines().map(str::trim) {
        if let Some(binary) = line.strip_prefix("BuildProperties: {Binary: ") {
            function = binary.trim_end_matches('}');
        }
        let event = line.strip_prefix("Properties: {ApiId: !Ref Api").and_then(|rest| rest.strip_suffix('}'));
        let Some(event) = event else { continue };
        let key = match event.strip_prefix(", Method: ").and_then(|rest| rest.split_once(", Path: ")) {
            Some((method, path)) => format!("{method} {}", path.trim_matches('"')),
            None => DEFAULT.to_owned(),
        };
        routes.push(Route { key, function: function.to_owned() });
    }
    routes
}
