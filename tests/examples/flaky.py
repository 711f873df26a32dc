"""A way to the service on which analyses fail at first, as they may in the cloud."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

REFUSAL = b'{"success":false,"error":{"code":"service_unavailable","message":"Try again.","request_id":"0"}}'


JSON, HTML = {"Content-Type": "application/json"}, {"Content-Type": "text/html"}
ITSELF = (503, {"Retry-After": "1", **JSON}, REFUSAL)  # the service's own answer
# what API Gateway and load balancers answer in front of it, without its envelope and without Retry-After
THROTTLED = (429, JSON, b'{"message":"Too Many Requests"}')
UNAVAILABLE = (503, JSON, b'{"message":"Service Unavailable"}')
BAD_GATEWAY = (502, HTML, b"<html><body><h1>502 Bad Gateway</h1></body></html>")
TOO_LARGE = (413, JSON, b'{"message":"Request Entity Too Large"}')


class Flaky(ThreadingHTTPServer):
    """Answers the first analyses by `failures`, one after the other; notes every `Idempotency-Key`."""

    def __init__(self, api, failures):
        super().__init__(("127.0.0.1", 0), Handler)
        self.upstream, self.failures, self.keys = urlsplit(api), failures, []
        self.api = f"http://127.0.0.1:{self.server_port}{self.upstream.path}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.read()
        if self.path.endswith("/pdf/analyze"):
            self.server.keys.append(self.headers.get("Idempotency-Key"))
            if len(self.server.keys) <= len(self.server.failures):
                return self.answer(*self.server.failures[len(self.server.keys) - 1])
        upstream = http.client.HTTPConnection(self.server.upstream.netloc, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "transfer-encoding"}
        upstream.request("POST", self.path, body, headers)
        answer = upstream.getresponse()
        headers = {name: answer.headers[name] for name in ("Content-Type", "Retry-After") if name in answer.headers}
        return self.answer(answer.status, headers, answer.read())

    def read(self):
        """The body, whether its length was told before or comes with its pieces."""
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
