"""Holds the document against the service: a client generated from it, and generated requests.

Needs requests and schemathesis, Node.js 20 and the packages of package.json.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "examples"))

from service import ROOT, Service, pdf  # noqa: E402

DOCUMENT = ROOT / "docs/openapi.json"
# other cases each time find more, and fail somebody else's change; another seed is an argument away
SEED = sys.argv[1] if len(sys.argv) > 1 else "1"


def step(name, command, **options):
    """Runs a command; returns what it prints."""
    started = time.monotonic()
    done = subprocess.run(command, cwd=HERE, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\n{name} failed")
    print(f"{name}: {{}} ({time.monotonic() - started:.1f} s)".format(summary(done.stdout)), flush=True)


def summary(text):
    cases = re.search(r"(\d+) generated", text)
    return f"{cases[1]} cases, no failure" if cases else "right"


def npx(program, *arguments):
    return ["npx", "--no-install", program, *map(str, arguments)]


def generated_client(service):
    step("types", npx("openapi-typescript", DOCUMENT, "-o", "generated/api.d.ts"))
    step("compiler", npx("tsc", "-p", "."))
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(pdf("Generated"))
        file.flush()
        environment = {**os.environ, "API": service.api, "TOKEN": service.token}
        step("generated client", ["node", "generated/client.js", file.name], env=environment)


def requests_generated(service, base, name, *options):
    environment = {**os.environ, "API": service.api, "TOKEN": service.token, "SCHEMATHESIS_HOOKS": "hooks"}
    environment["PYTHONPATH"] = f"{HERE}:{HERE.parent / 'examples'}"
    program = Path(sys.executable).with_name("st")
    always = ["--checks=all", "--max-examples=100", f"--seed={SEED}", "--generation-database=none"]
    config = ["--config-file", HERE / "schemathesis.toml"]
    step(name, [program, *config, "run", DOCUMENT, "--url", base, *always, *options], env=environment)


step("linter", npx("redocly", "lint", "--config=redocly.yaml", DOCUMENT))
with Service() as service:
    generated_client(service)
    service.limit_to(1_000_000)
    token = f"--header=Authorization: Bearer {service.token}"
    # the generator does not know that a call may have a base address of its own
    beside = "/health"
    requests_generated(service, service.api, "with a token", token, f"--exclude-path={beside}")
    requests_generated(service, service.api, "without a token", f"--exclude-path={beside}")
    requests_generated(service, service.origin, "beside it", f"--include-path={beside}", "--phases=coverage,fuzzing")
