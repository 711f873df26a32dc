//! A request's place in AWS X-Ray: one annotated subsegment, handed to the daemon that Lambda runs.

use std::net::{SocketAddr, UdpSocket};

use serde_json::{Value, json};

use super::JournalEntry;

/// Where a request belongs: the trace and the segment that Lambda opened for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    root: String,
    parent: String,
}

impl Trace {
    /// Reads `Root=1-…;Parent=…;Sampled=1`; `None` unless the request is sampled.
    #[must_use]
    pub fn parse(header: &str) -> Option<Self> {
        let part = |name: &str| {
            let mut pairs = header.split(';').filter_map(|pair| pair.trim().split_once('='));
            pairs.find_map(|(key, value)| (key == name).then(|| value.to_owned()))
        };
        (part("Sampled")? == "1").then_some(Self { root: part("Root")?, parent: part("Parent")? })
    }
}

/// The X-Ray daemon beside the function.
#[derive(Debug)]
pub struct Daemon {
    socket: UdpSocket,
}

impl Daemon {
    /// The daemon at `address` (Lambda gives it in `AWS_XRAY_DAEMON_ADDRESS`); `None` if no
    /// datagram can be sent there.
    #[must_use]
    pub fn at(address: &str) -> Option<Self> {
        let address: SocketAddr = address.parse().ok()?;
        let local: SocketAddr = if address.is_ipv4() { ([0, 0, 0, 0], 0).into() } else { ([0_u16; 8], 0).into() };
        let socket = UdpSocket::bind(local).ok()?;
        socket.connect(address).ok()?;
        socket.set_nonblocking(true).ok()?;
        Some(Self { socket })
    }

    /// Sends the entry, if its request is sampled. A datagram that is lost is only a trace lost.
    pub(super) fn send(&self, entry: &JournalEntry) {
        if let Some(trace) = &entry.trace {
            let datagram = format!("{{\"format\":\"json\",\"version\":1}}\n{}", subsegment(entry, trace));
            let _ = self.socket.send(datagram.as_bytes());
        }
    }
}

/// AWS X-Ray segment document, of the type subsegment.
fn subsegment(entry: &JournalEntry, trace: &Trace) -> Value {
    // X-Ray takes seconds with fractions
    let began = entry.time.timestamp_micros() as f64 / 1e6;
    let id = uuid::Uuid::new_v4().simple().to_string();
    let mut annotations = json!({
        "route": entry.route,
        "status": entry.status,
        "storage_rounds": entry.storage_rounds,
        "bytes_read": entry.bytes_read,
    });
    let optional = [
        ("user", entry.user.as_deref().map(Value::from)),
        ("analysis", entry.analysis.map(|outcome| json!(outcome))),
        ("error", entry.error.map(Value::from)),
        ("reason", entry.reason.map(Value::from)),
    ];
    for (name, value) in optional {
        if let (Some(value), Some(annotations)) = (value, annotations.as_object_mut()) {
            annotations.insert(name.to_owned(), value);
        }
    }
    json!({
        "type": "subsegment",
        "name": "request",
        "id": id.get(..16),
        "trace_id": trace.root,
        "parent_id": trace.parent,
        "start_time": began,
        "end_time": began + entry.latency_ms / 1000.0,
        "fault": entry.status >= 500,
        "error": (400..500).contains(&entry.status),
        "throttle": entry.status == 429,
        "annotations": annotations,
    })
}

#[cfg(test)]
mod tests {
    use super::Trace;

    #[test]
    fn only_sampled_requests_are_traced() {
        let sampled = Trace::parse("Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1");
        assert_eq!(sampled.unwrap().parent, "53995c3f42cd8ad8");
        for header in ["", "Root=1-2-3;Parent=4;Sampled=0", "Root=1-2-3;Parent=4", "Root=1-2-3;Sampled=1", "x"] {
            assert_eq!(Trace::parse(header), None, "{header}");
        }
    }
}
