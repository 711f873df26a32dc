"""A cloud for the batch stack: S3 and Step Functions by moto, Lambda by the function's binary.

moto interprets the states language and calls Lambda's Invoke API, which is answered here: each invocation goes to a process of the
binary through the Lambda Runtime API (version 2018-06-01). A process that dies while it works fails its invocation, as Lambda
does, and another takes its place.
"""
import collections, http.server, json, os, queue, re, subprocess, threading, time, uuid

from moto import settings
from moto.core.config import default_user_config
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server, WSGIRequestHandler

TIMEOUT = 900


class Invocation:
    def __init__(self, payload):
        self.id, self.payload = str(uuid.uuid4()), payload
        self.done, self.answer, self.error = threading.Event(), None, None


class Worker:
    """A process of the binary, and the Runtime API that it polls."""

    def __init__(self, pool, number):
        self.pool, self.number, self.current = pool, number, None
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
                try:
                    invocation = pool.waiting.get()
                except queue.Empty:
                    return
                worker.current = invocation
                deadline = str(int((time.time() + TIMEOUT) * 1000))
                self.reply(200, invocation.payload, [
                    ("Lambda-Runtime-Aws-Request-Id", invocation.id), ("Lambda-Runtime-Deadline-Ms", deadline),
                    ("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:123456789012:function:batch"),
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
        process.wait()
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
        self.waiting, self.is_over, self.calls, self.kills = queue.Queue(), False, collections.Counter(), 0
        self.workers = [Worker(self, number) for number in range(size)]

    def invoke(self, payload):
        invocation = Invocation(payload)
        self.calls[json.loads(payload).get("task", "event")] += 1
        self.waiting.put(invocation)
        invocation.done.wait(TIMEOUT)
        return invocation

    def kill_one(self):
        """Kills a worker in the middle of a shard; whether there was one."""
        for worker in self.workers:
            current = worker.current
            if current and json.loads(current.payload).get("task") == "work":
                worker.process.kill()
                self.kills += 1
                return True
        return False

    def processor_seconds(self):
        """Of the processes that live, user and system."""
        ticks = 0
        for worker in self.workers:
            with open(f"/proc/{worker.process.pid}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.is_over = True
        for worker in self.workers:
            worker.process.kill()


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
        self.requests[kind(environ)] += 1
        return self.moto(environ, start_response)


def kind(environ):
    """What a request to S3 is charged as."""
    query = environ["QUERY_STRING"]
    if "list-type=2" in query:
        return "LIST"
    return "TAGGING" if "tagging" in query else environ["REQUEST_METHOD"]
