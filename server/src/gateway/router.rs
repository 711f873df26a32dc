//! Route selection as API Gateway does it: the most specific path, then its method, then `ANY`, then `$default`.

use percent_encoding::percent_decode_str;

use crate::template::Route;

/// The routes of an API, the most specific paths first.
#[derive(Clone, Debug)]
pub(super) struct Router {
    paths: Vec<RoutePath>,
    default: Option<Route>,
}

/// The route of a request, and its path parameters.
#[derive(Debug, PartialEq)]
pub(super) struct Selected<'r> {
    pub(super) route: &'r Route,
    pub(super) parameters: Vec<(&'r str, String)>,
}

#[derive(Clone, Debug)]
struct RoutePath {
    segments: Vec<Segment>,
    routes: Vec<Route>,
}

/// Declared in the order of preference.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Segment {
    Literal(String),
    Parameter(String),
}

impl Router {
    pub(super) fn new(routes: &[Route]) -> Self {
        let mut router = Self { paths: Vec::new(), default: None };
        for route in routes {
            if route.path.is_empty() {
                router.default = Some(route.clone());
                continue;
            }
            let segments: Vec<Segment> = route.path.split('/').map(Segment::read).collect();
            match router.paths.iter_mut().find(|path| path.segments == segments) {
                Some(path) => path.routes.push(route.clone()),
                None => router.paths.push(RoutePath { segments, routes: vec![route.clone()] }),
            }
        }
        router.paths.sort_by(|one, other| one.segments.cmp(&other.segments));
        router
    }

    /// The route for a method and a path, which is matched as sent; parameters are decoded.
    pub(super) fn select(&self, method: &str, path: &str) -> Option<Selected<'_>> {
        let sent: Vec<&str> = path.split('/').collect();
        let path = self.paths.iter().find(|path| path.takes(&sent));
        if let Some((path, route)) = path.and_then(|path| Some((path, path.route(method)?))) {
            return Some(Selected { route, parameters: path.parameters(&sent) });
        }
        let route = self.default.as_ref()?;
        Some(Selected { route, parameters: Vec::new() })
    }
}

impl RoutePath {
    fn takes(&self, sent: &[&str]) -> bool {
        self.segments.len() == sent.len()
            && self.segments.iter().zip(sent).all(|(segment, sent)| match segment {
                Segment::Literal(literal) => literal == sent,
                Segment::Parameter(_) => !sent.is_empty(),
            })
    }

    fn route(&self, method: &str) -> Option<&Route> {
        let with = |wanted| self.routes.iter().find(|route| route.key.split(' ').next() == Some(wanted));
        with(method).or_else(|| with("ANY"))
    }

    fn parameters(&self, sent: &[&str]) -> Vec<(&str, String)> {
        let pairs = self.segments.iter().zip(sent);
        pairs
            .filter_map(|(segment, sent)| match segment {
                Segment::Literal(_) => None,
                Segment::Parameter(name) => {
                    let value = percent_decode_str(sent).decode_utf8_lossy();
                    Some((name.as_str(), value.into_owned()))
                }
            })
            .collect()
    }
}

impl Segment {
    fn read(text: &str) -> Self {
        let name = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        name.map_or_else(|| Self::Literal(text.to_owned()), |name| Self::Parameter(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::Router;
    use crate::template::Route;

    fn route(key: &str) -> Route {
        let path = key.split_once(' ').map_or("", |(_, path)| path);
        Route { key: key.to_owned(), path: path.to_owned(), function: String::new() }
    }

    #[test]
    fn the_most_specific_path_decides_then_the_method_then_any_then_default() {
        let router = Router::new(&[
            route("GET /pdf/{id}"),
            route("ANY /pdf/{id}"),
            route("POST /pdf/analyze"),
            route("GET /"),
            route("$default"),
        ]);
        let cases = [
            ("GET", "/pdf/7", "GET /pdf/{id}"),
            ("PATCH", "/pdf/7", "ANY /pdf/{id}"),
            ("POST", "/pdf/analyze", "POST /pdf/analyze"),
            ("GET", "/pdf/analyze", "$default"),
            ("GET", "/pdf/", "$default"),
            ("GET", "/pdf/7/", "$default"),
            ("GET", "/pdf", "$default"),
            ("GET", "/%70df/7", "$default"),
            ("GET", "//", "$default"),
            ("GET", "/", "GET /"),
            ("POST", "/", "$default"),
        ];
        for (method, path, key) in cases {
            let selected = router.select(method, path).unwrap();
            assert_eq!(selected.route.key, key, "{method} {path}");
        }
    }

    #[test]
    fn parameters_are_decoded_and_belong_to_their_route_only() {
        let router = Router::new(&[route("GET /a/{x}/{y}"), route("$default")]);
        let selected = router.select("GET", "/a/1%202/%C3%A4").unwrap();
        let expected = [("x", "1 2".to_owned()), ("y", "ä".to_owned())];
        assert_eq!(selected.parameters, expected);
        assert!(router.select("GET", "/b/1/2").unwrap().parameters.is_empty());
        assert_eq!(Router::new(&[]).select("GET", "/"), None);
    }
}
