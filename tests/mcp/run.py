"""Drives both servers with clients that agents have: every tool, and files of 35 KB, 5 MB and 100 MB that no message carries."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "examples"))

from service import SERVER, Service, pdf  # noqa: E402

TOOLS = ["prepare_upload", "request_upload", "analyze", "compare", "get_analysis", "list_analyses", "usage"]
LOCAL_TOOLS = ["inspect", "compare", "list_files"]
SIZES = [35_000, 5_000_000, 100_000_000]
# the newest revision, and one that begins with a handshake
MODES = ["auto", "legacy"]
# the files have 100 MB and more, all messages about them this much at most
MOST_BYTES = 100_000
# what the conformance suite asks of servers of tools; its other scenarios call tools of its own, or ask for prompts and resources
SCENARIOS = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"]
# of a version that Inspector and suite need
NODE = HERE / "node_modules/.bin/node"


class Counted(httpx2.AsyncHTTPTransport):
    """Counts the bytes of all messages, both ways."""

    def __init__(self):
        super().__init__()
        self.bytes = 0

    async def handle_async_request(self, request):
        self.bytes += len(await request.aread())
        response = await super().handle_async_request(request)
        self.bytes += len(await response.aread())
        return response


async def call(client, tool, arguments):
    """The structured result, which the SDK holds against the tool's schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return result.structured_content


async def staged(client, file):
    """The upload_id of a file that was sent as the tool says."""
    ticket = await call(client, "prepare_upload", {"filename": str(file), "size": file.stat().st_size})
    subprocess.run(ticket["curl"], shell=True, check=True)
    return ticket["upload_id"]


async def over_http(service, mode, folder):
    counted = Counted()
    headers = {"Authorization": f"Bearer {service.token}"}
    async with httpx2.AsyncClient(headers=headers, transport=counted, timeout=60) as http:
        async with Client(streamable_http_client(f"{service.origin}/mcp", http_client=http), mode=mode) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
            for size in SIZES:
                file = folder / f"{size}.pdf"
                told = await call(client, "analyze", {"upload_id": await staged(client, file)})
                assert told["verdict"] and told["file_size"] == file.stat().st_size, told
            copies = [await staged(client, folder / f"{size}.pdf") for size in SIZES[:2]]
            compared = await call(client, "compare", dict(zip(("before", "after"), copies)))
            assert compared["relation"] == "same_document" and len(compared["files"]) == 2, compared
            for part in ("summary", "signals", "metadata"):
                assert (await call(client, "get_analysis", {"id": told["id"], "part": part}))["part"] == part
            listed = [entry["id"] for entry in (await call(client, "list_analyses", {}))["analyses"]]
            assert listed[:2] == [compared["id"], told["id"]], listed
            usage = await call(client, "usage", {})
            refused = await client.call_tool("analyze", {"upload_id": "none"})
            assert refused.is_error and json.loads(refused.content[0].text)["code"] == "not_found", refused
            version = client.protocol_version
    assert counted.bytes < MOST_BYTES, counted.bytes
    print(f"Python, HTTP, {version}: {usage['checks_used_today']} analyses, {counted.bytes} bytes of messages", flush=True)


async def over_stdio(mode, folder):
    server = StdioServerParameters(command=str(SERVER), args=["mcp", "--root", str(folder)])
    async with Client(server, mode=mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == LOCAL_TOOLS
        for size in SIZES:
            told = await call(client, "inspect", {"path": f"{size}.pdf"})
            assert told["untrusted"]["texts"]["filename"] == f"{size}.pdf", told
        compared = await call(client, "compare", {side: f"{SIZES[0]}.pdf" for side in ("before", "after")})
        assert compared["relation"] == "identical", compared
        refused = await client.call_tool("inspect", {"path": "../secret.pdf"})
        assert refused.is_error, refused
        version = client.protocol_version
    print(f"Python, stdio, {version}: right", flush=True)


def typescript(service, script, folder):
    environment = {**os.environ, "ADDRESS": f"{service.origin}/mcp", "TOKEN": service.token, "SERVER": str(SERVER)}
    subprocess.run(["node", script, str(folder)], cwd=HERE, check=True, env=environment)


def inspector(service, folder):
    """The Inspector's command line, which shows what a tool answers."""
    package = HERE / "node_modules/@modelcontextprotocol/inspector"
    program = [NODE, package / "clients/launcher/build/index.js", "--cli"]
    http = [f"{service.origin}/mcp", "--transport", "http", "--header", f"Authorization: Bearer {service.token}"]
    stdio = [SERVER, "mcp", "--root", folder]

    def ask(server, *arguments):
        command = [*program, *server, "--method", *arguments]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def call(server, tool, **arguments):
        pairs = [f"{name}={value}" for name, value in arguments.items()]
        return ask(server, "tools/call", "--tool-name", tool, *(["--tool-arg", *pairs] if pairs else []))["structuredContent"]

    assert [tool["name"] for tool in ask(http, "tools/list")["tools"]] == TOOLS
    file = folder / f"{SIZES[0]}.pdf"
    ticket = call(http, "prepare_upload", filename=file, size=file.stat().st_size)
    subprocess.run(ticket["curl"], shell=True, check=True)
    told = call(http, "analyze", upload_id=ticket["upload_id"])
    assert call(http, "get_analysis", id=told["id"], part="signals")["id"] == told["id"]
    assert call(http, "list_analyses")["analyses"][0]["id"] == told["id"]
    assert call(http, "usage")["checks_used_today"] > 0
    assert call(stdio, "inspect", path=file.name)["verdict"] == told["verdict"]
    print("Inspector, HTTP and stdio: every tool", flush=True)


class WithToken(BaseHTTPRequestHandler):
    """Hands requests on with the token that the suite has no option for."""

    def hand_on(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {**self.headers, "Authorization": f"Bearer {self.server.service.token}"}
        request = urllib.request.Request(self.server.service.origin + self.path, body or None, headers, method=self.command)
        try:
            answer = urllib.request.urlopen(request)
        except HTTPError as error:
            answer = error
        with answer:
            text = answer.read()
            self.send_response(answer.status)
            for name in ("content-type", "allow", "www-authenticate"):
                if answer.headers.get(name):
                    self.send_header(name, answer.headers[name])
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    do_GET = do_POST = do_DELETE = hand_on

    def log_message(self, *_):
        pass


def conformance(service):
    """The protocol's own suite, as far as it is about what is offered here."""
    program = HERE / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), WithToken)
    proxy.service = service
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    address = f"http://localhost:{proxy.server_port}/mcp"
    for scenario in SCENARIOS:
        command = [NODE, program, "server", "--url", address, "--scenario", scenario]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and ", 0 failed" in done.stdout, done.stdout + done.stderr
    proxy.shutdown()
    print(f"conformance suite: {', '.join(SCENARIOS)}", flush=True)


async def main(service, folder):
    for mode in MODES:
        await over_http(service, mode, folder)
        await over_stdio(mode, folder)


with Service() as service, tempfile.TemporaryDirectory() as name:
    started = time.monotonic()
    folder = Path(name)
    for size in SIZES:
        (folder / f"{size}.pdf").write_bytes(pdf("Report", size))
    asyncio.run(main(service, folder))
    for script in ("newest.mjs", "earlier.mjs"):
        typescript(service, script, folder)
    inspector(service, folder)
    conformance(service)
    print(f"agents' clients ({time.monotonic() - started:.1f} s)")
