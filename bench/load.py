#!/usr/bin/env python3
"""Puts the running service under load, beside what one would write in an afternoon, and writes bench/measurements.md.

Usage: bench/load.py [--seconds N] [--rounds N] [--server PROGRAM] [--load PROGRAM]

The server keeps its data in a folder on disk, as `cargo run --release` does; requests come over loopback, all from one
account where nothing else is said. What counts is requests a second of the server's own processor time, which other work on the
machine hardly changes; throughput and latency are printed beside it. Only the part of the page between its two markers
is written.
"""
import argparse, contextlib, json, os, re, signal, statistics, subprocess, sys, tempfile, time, urllib.request
from pathlib import Path

import compare

ROOT = compare.ROOT
ENVIRONMENT = ROOT / "bench" / "target" / "load"
BEGIN, END = "<!-- measured: bench/load.py writes from here -->", "<!-- load: to here -->"
# connections, and accounts that share them
CROWDS = [(1, 1), (8, 1), (8, 8), (64, 1)]
ORIGIN = "http://127.0.0.1:3300"
TICKS = os.sysconf("SC_CLK_TCK")
PACKAGES = ["fastapi", "uvicorn[standard]", "python-multipart", "pypdf", "pikepdf"]
TOKEN = "rival_0123456789abcdef"
# what is put beside the service: words for it, the program, what it finds in its environment
RIVALS = [
    ("pikepdf and SQLite: token, quota, analysis, stored", "promises", {"TOKEN": TOKEN, "PDF_LIBRARY": "pikepdf"}),
    ("pypdf: the file read, nothing stored", "rival", {"PDF_LIBRARY": "pypdf"}),
    ("pikepdf: the file read, nothing stored", "rival", {"PDF_LIBRARY": "pikepdf"}),
]


def cpu_seconds(process):
    """User and system time of a process so far, with resolution of a clock tick."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_mb(process):
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def form(file):
    """Content type and body of a form with this file."""
    boundary = "bench-boundary"
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\nContent-Type: application/pdf\r\n\r\n'
    return f"multipart/form-data; boundary={boundary}", head.encode() + file.read_bytes() + f"\r\n--{boundary}--\r\n".encode()


def call(method, headers, body=b""):
    lines = [method] + [f"{name}: {value}" for name, value in headers.items()]
    return "\n".join(lines).encode() + b"\n\n" + body


class Process:
    """A server under load, ended at the end."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)

    @property
    def pid(self):
        return self.process.pid

    def wait_for(self, url):
        for _ in range(300):
            try:
                return urllib.request.urlopen(url).read()
            except OSError:
                time.sleep(0.1)
        sys.exit(f"nothing answers at {url}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def measure(options, process, url, requests, connections):
    """What the server does under that many connections, shared out among the requests."""
    command = [options.load, url, str(connections // len(requests)), str(options.seconds)]
    before = cpu_seconds(process.pid)
    drivers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in requests]
    for driver, request in zip(drivers, requests):
        driver.stdin.write(request)
        driver.stdin.close()
    results = [json.loads(driver.stdout.read()) for driver in drivers]
    if any(driver.wait() for driver in drivers) or any(result["refused"] for result in results):
        sys.exit(f"requests to {url} were refused: {results}")
    done = sum(result["requests"] for result in results)
    return {
        "per_core": done / (cpu_seconds(process.pid) - before),
        "per_second": sum(result["requests"] / result["seconds"] for result in results),
        "p50_ms": statistics.median(result["p50_ms"] for result in results),
        "p99_ms": max(result["p99_ms"] for result in results),
    }


def middle(runs):
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def service(options, file):
    """Medians of every endpoint, number of connections and of accounts, and the most memory. Each has a server of its own,
    with nothing in it that another one has stored."""
    content_type, body = form(file)
    calls = {
        "GET /user": ("user", lambda bearer: call("GET", bearer)),
        "POST /pdf/analyze": ("pdf/analyze", lambda bearer: call("POST", {**bearer, "content-type": content_type}, body)),
        "GET /pdf": ("pdf?per_page=20", lambda bearer: call("GET", bearer)),
    }
    taken, memory = {}, 0
    for name, (path, request) in calls.items():
        # what many clients come to is the analyses' question
        for connections, accounts in CROWDS if name.startswith("POST") else CROWDS[:2]:
            with tempfile.TemporaryDirectory() as data, started(options, data) as process:
                bearers = [{"authorization": "Bearer " + token(options, data, account)} for account in range(accounts)]
                if name == "GET /pdf":
                    analyses = [calls["POST /pdf/analyze"][1](bearer) for bearer in bearers]
                    measure(options, process, f"{ORIGIN}/api/v1/pdf/analyze", analyses, accounts)
                requests = [request(bearer) for bearer in bearers]
                runs = [measure(options, process, f"{ORIGIN}/api/v1/{path}", requests, connections) for _ in range(options.rounds)]
                taken[name, connections, accounts] = middle(runs)
                memory = max(memory, resident_mb(process.pid))
    return taken, memory


def started(options, data):
    ports = ["--listen", ORIGIN.removeprefix("http://"), "--dynamodb-listen", "127.0.0.1:0", "--s3-listen", "127.0.0.1:0"]
    process = Process([options.server, "--data", data, *ports], env={**os.environ, "RUST_LOG": "error"})
    process.wait_for(f"{ORIGIN}/health")
    return process


def token(options, data, account=0):
    """The API token of a new account without limit, the one of this number."""
    account = [f"load{account}@example.com", "--name", "Load", "--limit", "1000000000", "--token", "load", "--no-password"]
    command = [options.server, "account", "create", *account, "--data", data]
    created = subprocess.run(command, capture_output=True, text=True, check=True)
    return re.search(r"pdfa_\w+", created.stdout)[0]


@contextlib.contextmanager
def rival(program, surroundings, port):
    """A rival at this port, with a folder of its own."""
    command = [str(ENVIRONMENT / "bin/uvicorn"), f"{program}:app", "--port", str(port), "--log-level", "error", "--no-access-log"]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, **surroundings, "DATABASE": str(Path(folder) / "rival.sqlite")}
        with Process(command, env=environment, cwd=ROOT / "bench/comparison") as process:
            process.wait_for(f"http://127.0.0.1:{port}/openapi.json")
            yield process


def side_by_side(options, file):
    """Analyses at 8 connections, the service first and then each rival: medians, the median of the service's ratios to it,
    and memory. All are running, and are asked in turns, so that what slows the machine slows all of them."""
    content_type, body = form(file)
    with contextlib.ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        process = stack.enter_context(started(options, data))
        request = lambda bearer: call("POST", {"content-type": content_type, "authorization": f"Bearer {bearer}"}, body)
        asked = [(process, f"{ORIGIN}/api/v1/pdf/analyze", request(token(options, data)))]
        for port, (_, program, surroundings) in enumerate(RIVALS, 3301):
            process = stack.enter_context(rival(program, surroundings, port))
            asked.append((process, f"http://127.0.0.1:{port}/analyze", request(TOKEN)))
        rounds = [[measure(options, process, url, [request], 8) for process, url, request in asked] for _ in range(3 * options.rounds)]
        ratios = [[runs[0]["per_core"] / run["per_core"] for run in runs] for runs in rounds]
        return [
            (middle(runs), statistics.median(ratio), resident_mb(process.pid))
            for runs, ratio, (process, *_) in zip(zip(*rounds), zip(*ratios), asked)
        ]


def page(options):
    number, table = compare.number, compare.table
    file = compare.MADE / "100-kb" / "object-streams.pdf"
    if not file.exists():
        subprocess.run([options.make, compare.MADE], check=True)
    taken, memory = service(options, file)
    rows = [
        [name, str(connections), str(accounts), number(run["per_core"]), number(run["per_second"]), number(run["p50_ms"]), number(run["p99_ms"])]
        for (name, connections, accounts), run in taken.items()
    ]
    head = ["request", "connections", "accounts", "a second and core", "a second", "p50, ms", "p99, ms"]
    parts = [
        f"Measured on {compare.machine()}; medians of {options.rounds} runs of "
        f"{options.seconds:g} s. The driver has the same cores. The server with its embedded stores had at most "
        f"{memory:.0f} MB resident.\n",
        table(head, rows),
    ]
    words = ["this service: account, quota, analysis, stored"] + [f"FastAPI, uvicorn, {words}" for words, *_ in RIVALS]
    rows = [
        [words, number(run["per_core"]), f"{ratio:.1f} ×", number(run["p50_ms"]), number(resident)]
        for words, (run, ratio, resident) in zip(words, side_by_side(options, file))
    ]
    head = ["100 KB analyzed, 8 connections", "a second and core", "ours to it", "p50, ms", "memory, MB"]
    parts += ["", table(head, rows)]
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5, help="length of every run")
    parser.add_argument("--rounds", type=int, default=3, help="runs of every measure")
    parser.add_argument("--server", help="a built server; built if not given")
    parser.add_argument("--programs", help="folder of the built examples load and make; built if not given")
    options = parser.parse_args()
    if not options.server:
        subprocess.run(["cargo", "build", "--release", "--quiet", "--bin", "pdf-analysis"], check=True, cwd=ROOT)
        options.server = str(ROOT / "target/release/pdf-analysis")
    if not options.programs:
        options.programs = str(compare.PROGRAMS)
        compare.build("load", "make")
    options.load, options.make = (str(Path(options.programs) / name) for name in ("load", "make"))
    if not (ENVIRONMENT / "bin/uvicorn").exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([ENVIRONMENT / "bin/python", "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    written = page(options)
    before, rest = compare.PAGE.read_text().split(BEGIN)
    compare.PAGE.write_text(f"{before}{BEGIN}\n\n{written}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
