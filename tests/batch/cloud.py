"""A cloud for the batch stack: S3 and Step Functions by moto, Lambda by the function's binary.

moto keeps the objects and interprets the states language. Three things are answered here: listings and ranges of moto's objects, both
of which take it too long for 100,000, and Lambda's Invoke API, which hands each invocation to a process of the binary through the
Lambda Runtime API (version 2018-06-01). A process that dies while it works fails its invocation, as Lambda does, and another takes its
place.
"""
import collections, heapq, http.server, json, os, queue, re, signal, statistics, subprocess, threading, time, urllib.parse, uuid, xml.sax.saxutils

from moto import settings
from moto.core.config import default_user_config
from moto.s3.models import s3_backends
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server, WSGIRequestHandler

TIMEOUT = 900
ACCOUNT = "123456789012"


class Invocation:
    def __init__(self, payload):
        self.id, self.payload, self.task = str(uuid.uuid4()), payload, json.loads(payload)
        self.done, self.answer, self.error, self.taken = threading.Event(), None, None, None


class Worker:
    """A process of the binary, and the Runtime API that it polls."""

    def __init__(self, pool):
        self.pool, self.current = pool, None
        worker = self

        class Runtime(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def reply(self, status, body=b"", headers=()):
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                invocation = pool.waiting.get()
                invocation.taken, worker.current = time.monotonic(), invocation
                deadline = str(int((time.time() + TIMEOUT) * 1000))
                self.reply(200, invocation.payload, [
                    ("Lambda-Runtime-Aws-Request-Id", invocation.id), ("Lambda-Runtime-Deadline-Ms", deadline),
                    ("Lambda-Runtime-Invoked-Function-Arn", f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:batch"),
                    ("Content-Type", "application/json")])

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                invocation, worker.current = worker.current, None
                if invocation:
                    if self.path.endswith("/response"):
                        invocation.answer = body
                    else:
                        invocation.error = body
                    invocation.done.set()
                self.reply(202)

        self.api = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Runtime)
        self.api.daemon_threads = True
        threading.Thread(target=self.api.serve_forever, daemon=True).start()
        self.start()

    def start(self):
        environment = {**os.environ, **self.pool.environment, "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self.api.server_port}",
                       "AWS_LAMBDA_FUNCTION_NAME": "batch", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1769",
                       "AWS_LAMBDA_FUNCTION_VERSION": "1", "AWS_LAMBDA_LOG_STREAM_NAME": "s", "AWS_LAMBDA_LOG_GROUP_NAME": "g"}
        self.process = subprocess.Popen([self.pool.binary], env=environment, stdout=self.pool.log, stderr=self.pool.log)
        threading.Thread(target=self.watch, args=(self.process,), daemon=True).start()

    def watch(self, process):
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.pool.ended_seconds += used.ru_utime + used.ru_stime
        if self.pool.is_over:
            return
        invocation, self.current = self.current, None
        if invocation:
            invocation.error = json.dumps({"errorType": "Runtime.ExitError", "errorMessage": "the process ended"}).encode()
            invocation.done.set()
        self.start()


class Pool:
    """The workers, and the invocations that wait for one."""

    def __init__(self, binary, environment, size, log):
        self.binary, self.environment, self.log = str(binary), environment, open(log, "ab")
        self.waiting, self.is_over, self.calls, self.killed = queue.Queue(), False, collections.Counter(), set()
        self.ended_seconds, self.work_seconds = 0.0, []
        self.workers = [Worker(self) for _ in range(size)]

    def invoke(self, payload):
        invocation = Invocation(payload)
        self.waiting.put(invocation)
        invocation.done.wait(TIMEOUT)
        if invocation.error is None and invocation.task.get("task") == "work":
            self.work_seconds.append(time.monotonic() - invocation.taken)
        self.calls[invocation.task.get("task", "event")] += 1
        return invocation

    def kill_one(self):
        """Kills a worker in the middle of a shard that none was killed at before; whether there was one."""
        half = statistics.median(self.work_seconds or [0.5]) / 2
        for worker in self.workers:
            current = worker.current
            if current and current.task.get("task") == "work" and current.task["shard"] not in self.killed \
                    and time.monotonic() - current.taken > half:
                self.killed.add(current.task["shard"])
                os.kill(worker.process.pid, signal.SIGKILL)
                return True
        return False

    def processor_seconds(self):
        """User and system time of all processes, also of those that were killed."""
        ticks = 0
        for worker in self.workers:
            with open(f"/proc/{worker.process.pid}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return self.ended_seconds + ticks / os.sysconf("SC_CLK_TCK")

    def megabytes(self):
        """The highest resident memory of a process that lives."""
        texts = [open(f"/proc/{worker.process.pid}/status").read() for worker in self.workers]
        return max(int(re.search(r"VmHWM:\s+(\d+) kB", text)[1]) for text in texts) / 1024

    def end(self):
        self.is_over = True
        for worker in self.workers:
            os.kill(worker.process.pid, signal.SIGKILL)


class Cloud:
    """S3, Step Functions and Lambda behind one address."""

    def __init__(self):
        default_user_config["stepfunctions"]["execute_state_machine"] = True
        self.moto, self.pool, self.requests = DomainDispatcherApplication(create_backend_app), None, collections.Counter()

        class Quiet(WSGIRequestHandler):
            protocol_version = "HTTP/1.1"

            def log(self, *_):
                pass

        self.server = make_server("127.0.0.1", 0, self.answer, threaded=True, request_handler=Quiet)
        settings.moto_server_port = lambda: str(self.server.server_port)
        import moto.stepfunctions.parser.asl.utils.boto_client as clients
        clients.moto_server_port = settings.moto_server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, environ, start_response):
        path = environ["PATH_INFO"]
        if re.fullmatch(r"/2015-03-31/functions/[^/]+/invocations", path):
            length = int(environ.get("CONTENT_LENGTH") or 0)
            invocation = self.pool.invoke(environ["wsgi.input"].read(length))
            headers = [("Content-Type", "application/json"), ("X-Amz-Executed-Version", "$LATEST")]
            if invocation.error is not None:
                headers.append(("X-Amz-Function-Error", "Unhandled"))
            body = invocation.error if invocation.error is not None else invocation.answer or b"null"
            start_response("200 OK", [*headers, ("Content-Length", str(len(body)))])
            return [body]
        asked = kind(environ)
        self.requests[asked] += 1
        answer = {"LIST": listing, "GET object": part}.get(asked, lambda environ: None)(environ)
        if not answer:
            return self.moto(environ, start_response)
        status, headers, body = answer
        start_response(status, [*headers, ("Content-Length", str(len(body)))])
        return [body]


def keys_of(bucket):
    return s3_backends[ACCOUNT]["aws"].get_bucket(bucket).keys


def part(environ):
    """The answer to a GET of a range of one version, or none where it is moto's to answer."""
    _, bucket, key = environ["PATH_INFO"].split("/", 2)
    object = keys_of(bucket).get(key)
    wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", environ.get("HTTP_RANGE", ""))
    if not object or not wanted or environ.get("HTTP_IF_MATCH") != object.etag:
        return None
    start, end = int(wanted[1]), int(wanted[2]) + 1
    headers = [("ETag", object.etag), ("Content-Range", f"bytes {start}-{end - 1}/{object.size}")]
    return "206 Partial Content", headers, object.value[start:end]


def listing(environ):
    """A page of a listing, which takes moto seconds where there are 100,000 keys."""
    keys, query = keys_of(environ["PATH_INFO"].strip("/")), dict(urllib.parse.parse_qsl(environ["QUERY_STRING"]))
    after, prefix = query.get("continuation-token") or query.get("start-after", ""), query.get("prefix", "")
    names = heapq.nsmallest(1001, (name for name in list(keys) if name > after and name.startswith(prefix)))
    is_url = query.get("encoding-type") == "url"
    written = urllib.parse.quote if is_url else xml.sax.saxutils.escape
    text = "".join(
        f"<Contents><Key>{written(name)}</Key><LastModified>{keys[name].last_modified_ISO8601}</LastModified>"
        f"<ETag>{xml.sax.saxutils.escape(keys[name].etag)}</ETag><Size>{keys[name].size}</Size></Contents>" for name in names[:1000])
    if is_url:
        text += "<EncodingType>url</EncodingType>"
    if len(names) > 1000:
        text += f"<NextContinuationToken>{xml.sax.saxutils.escape(names[999])}</NextContinuationToken>"
    body = (f'<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><KeyCount>{len(names[:1000])}</KeyCount>'
            f"<IsTruncated>{str(len(names) > 1000).lower()}</IsTruncated>{text}</ListBucketResult>")
    return "200 OK", [("Content-Type", "application/xml")], body.encode()


def kind(environ):
    """What a request to S3 is charged as, and whether it is for an object of the output."""
    query, path = environ["QUERY_STRING"], environ["PATH_INFO"]
    if path == "/":
        return "Step Functions"
    if "list-type=2" in query:
        return "LIST"
    method = "tagging" if "tagging" in query else environ["REQUEST_METHOD"]
    return f"{method} {'output' if '/pdf-analysis/' in path else 'object'}"
