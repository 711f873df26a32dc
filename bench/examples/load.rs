//! Sends one request over and over: `load URL CONNECTIONS SECONDS`. Each connection is kept open and sends its next
//! request when it has its last one's answer. Standard input says what: the first line the method, then lines of
//! headers, an empty line, and the body. Prints one JSON object: requests, how many of them were not answered with 200
//! or 201, seconds, and the median and the 99th percentile of the latency in milliseconds.

use std::error::Error;
use std::io::Read;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1;
use hyper::header::HOST;
use hyper::{Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// What every connection sends.
#[derive(Clone)]
struct Call {
    uri: Uri,
    method: String,
    headers: Vec<(String, String)>,
    body: Bytes,
}

/// What one connection saw.
#[derive(Default)]
struct Seen {
    latencies: Vec<Duration>,
    refused: usize,
}

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let [url, connections, seconds] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "say URL CONNECTIONS SECONDS")?;
    let (connections, seconds): (usize, f64) = (connections.parse()?, seconds.parse()?);
    let call = Call::read(url.parse()?)?;
    // what happens only once is not what is measured
    call.repeat(Instant::now() + Duration::from_millis(300)).await?;

    let start = Instant::now();
    let end = start + Duration::from_secs_f64(seconds);
    let tasks: Vec<_> = (0..connections)
        .map(|_| {
            tokio::spawn({
                let call = call.clone();
                async move { call.repeat(end).await }
            })
        })
        .collect();
    let mut all = Seen::default();
    for task in tasks {
        let seen = task.await??;
        all.latencies.extend(seen.latencies);
        all.refused += seen.refused;
    }
    let taken = start.elapsed().as_secs_f64();
    all.latencies.sort_unstable();
    let percentile = |percent: usize| all.latencies[(all.latencies.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    println!(
        r#"{{"requests":{},"refused":{},"seconds":{taken:.3},"p50_ms":{:.3},"p99_ms":{:.3}}}"#,
        all.latencies.len(),
        all.refused,
        percentile(50),
        percentile(99)
    );
    Ok(())
}

impl Call {
    fn read(uri: Uri) -> Result<Self, Failure> {
        let mut input = Vec::new();
        std::io::stdin().read_to_end(&mut input)?;
        let head = input.windows(2).position(|pair| pair == b"\n\n").ok_or("no empty line after the headers")?;
        let mut lines = std::str::from_utf8(&input[..head])?.lines();
        let method = lines.next().ok_or("no method")?.to_owned();
        let headers =
            lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_owned(), value.to_owned()));
        Ok(Self { uri, method, headers: headers.collect(), body: Bytes::copy_from_slice(&input[head + 2..]) })
    }

    async fn repeat(&self, end: Instant) -> Result<Seen, Failure> {
        let authority = self.uri.authority().ok_or("the URL names no host")?;
        let stream = TcpStream::connect((authority.host(), authority.port_u16().unwrap_or(80))).await?;
        stream.set_nodelay(true)?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let mut seen = Seen::default();
        while Instant::now() < end {
            let mut request = Request::builder()
                .method(self.method.as_str())
                .uri(self.uri.path_and_query().map_or("/", |path| path.as_str()));
            request = request.header(HOST, authority.as_str());
            for (name, value) in &self.headers {
                request = request.header(name, value);
            }
            let start = Instant::now();
            let answer = sender.send_request(request.body(Full::new(self.body.clone()))?).await?;
            let status = answer.status();
            answer.into_body().collect().await?;
            seen.latencies.push(start.elapsed());
            seen.refused += usize::from(!matches!(status, StatusCode::OK | StatusCode::CREATED));
        }
        Ok(seen)
    }
}
