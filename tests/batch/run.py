"""Runs the batch stack against an emulated cloud: every object one row, whatever is killed, repeated or changed.

    run.py BATCH SAMPLES [OBJECTS] [KILLS]

BATCH is the function's binary, SAMPLES a folder of PDFs, which are stored OBJECTS times (1,300), KILLS workers are killed in the
middle of a shard (5). With INSPECT, a binary `pdf-analysis`, the same files are inspected on a disk as well. Counted requests and
measured times become the table of docs/bucket.md.
"""
import io, json, os, pathlib, resource, subprocess, sys, tempfile, time

import boto3, pyarrow.parquet
from botocore.config import Config
from moto.s3.models import s3_backends

from cloud import ACCOUNT, Cloud, Pool

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
binary, samples = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
objects, kills = (int(value) for value in (sys.argv[3:5] + ["1300", "5"][len(sys.argv[3:5]):]))

os.environ |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
cloud = Cloud()
client = lambda service: boto3.client(
    service, endpoint_url=cloud.address, region_name="us-east-1", config=Config(s3={"addressing_style": "path"}))
store, states = client("s3"), client("stepfunctions")
bucket, prefix, output = "papers", "claims/", "pdf-analysis/"
store.create_bucket(Bucket=bucket)


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r}, not {wanted!r}")
    print(f"  {what}: {found}", flush=True)


def listed(start):
    pages = store.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=start)
    return {row["Key"]: row["ETag"] for page in pages for row in page.get("Contents", ())}


def read(key):
    return store.get_object(Bucket=bucket, Key=key)["Body"].read()


def rows(columns=("key", "etag")):
    """The rows of all Parquet files, as another program reads them."""
    for name in listed(output + "rows/"):
        yield from pyarrow.parquet.read_table(io.BytesIO(read(name)), columns=list(columns)).to_pylist()


def versions_with_rows():
    return [(row["key"], row["etag"]) for row in rows()]


def failures():
    lines = [json.loads(line) for name in listed(output + "failures/") for line in read(name).splitlines()]
    return {line["key"]: line["reason"] for line in lines}


def definition():
    text = (root / "batch" / "states.asl.json").read_text()
    arn = f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:batch"
    values = {"AWS::Partition": "aws", "PlanFunction": arn, "WorkFunction": arn, "OutputBucketName": bucket, "OutputPrefix": output,
              "MaxConcurrency": "8"}
    for name, value in values.items():
        text = text.replace("${%s}" % name, value)
    # moto's grammar has this number with a fraction only
    return text.replace('"ToleratedFailurePercentage": 100', '"ToleratedFailurePercentage": 100.0')


def start(name):
    return states.start_execution(stateMachineArn=machine, name=name, input="{}")["executionArn"]


def ended(execution):
    while (found := states.describe_execution(executionArn=execution))["status"] == "RUNNING":
        time.sleep(0.2)
    return found["status"], json.loads(found.get("output") or "null"), found.get("cause")


def transitions(execution):
    """State transitions that AWS charges for: the states of the run and its end, and as many for each child execution."""
    pages = states.get_paginator("get_execution_history").paginate(executionArn=execution)
    entered = [event["stateEnteredEventDetails"]["name"] for page in pages for event in page["events"]
               if "stateEnteredEventDetails" in event]
    return 1 + sum(name != "Analyze" for name in entered) + 2 * pool.calls["work"]


def run(name, killed=0):
    """The sum of a run, during which workers are killed, evenly spread over its shards."""
    execution, shards = start(name), -(-objects // 250)
    while len(pool.killed) < killed and states.describe_execution(executionArn=execution)["status"] == "RUNNING":
        if pool.calls["work"] >= shards * len(pool.killed) // (killed + 1):
            pool.kill_one()
        time.sleep(0.02)
    status, answer, cause = ended(execution)
    if status != "SUCCEEDED":
        sys.exit(f"{name}: {status} {cause}")
    return answer, execution


def inspected(inspect):
    """Processor seconds of `pdf-analysis inspect` on the same files on a disk."""
    with tempfile.TemporaryDirectory(dir=root / "target") as folder:
        for number in range(objects):
            file = pathlib.Path(folder, f"{number % 97:02}", f"{number:07}.pdf")
            file.parent.mkdir(exist_ok=True)
            file.hardlink_to(files[number % len(files)])
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([inspect, "inspect", "--format", "json", folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    check("lines of inspect", done.stdout.count(b"\n"), objects)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def costs(requests, moves, processor, stored):
    """Ten million objects by what was counted here, at list prices of us-east-1, arm64, in November 2026."""
    scale, memory = 10_000_000 / objects, 1769 / 1024
    # 16 objects wait at once, each 30 ms for the first byte of a GET
    waited = requests["GET object"] * 0.030 / 16
    reads = sum(count for name, count in requests.items() if name in ("GET output", "HEAD output"))
    table = [
        ("`LIST`", requests["LIST"], 0.005 / 1000),
        ("`GET` of objects", requests["GET object"], 0.0004 / 1000),
        ("`GET` and `HEAD` of shards and rows", reads, 0.0004 / 1000),
        ("`PUT` of shards and rows", requests["PUT output"], 0.005 / 1000),
        ("state transitions", moves, 0.025 / 1000),
        ("invocations of functions", sum(pool.calls.values()), 0.20 / 1_000_000),
        ("GB-seconds of functions", (processor + waited) * memory, 0.0000133334),
    ]
    print("| what | for 1,000 objects | for ten million | US$ |\n|---|---|---|---|")
    for name, count, price in table:
        print(f"| {name} | {count * 1000 / objects:,.2f} | {count * scale:,.0f} | {count * scale * price:.2f} |")
    print(f"| **all** | | | **{sum(count * scale * price for _, count, price in table):.2f}** |")
    print(f"| GB of rows, stored for a month | {stored * 1000 / objects / 1e9:.4f} | {stored * scale / 1e9:,.1f} | {stored * scale / 1e9 * 0.023:.2f} |")


files = sorted(samples.glob("*.pdf"))
bodies = [file.read_bytes() for file in files]
print(f"{objects} objects of {len(files)} kinds", flush=True)
# not by requests, which would take longer than the run
backend = s3_backends[ACCOUNT]["aws"]
for number in range(objects):
    backend.put_object(bucket, f"{prefix}{number % 97:02}/{number:07}.pdf", bodies[number % len(bodies)])
store.put_object(Bucket=bucket, Key=prefix + "none.pdf", Body=b"this is no PDF")
store.put_object(Bucket=bucket, Key=prefix + "empty.pdf", Body=b"")
store.put_object(Bucket=bucket, Key=prefix + "notes.txt", Body=b"not selected")

(root / "target" / "logs").mkdir(exist_ok=True)
pool = cloud.pool = Pool(binary, {
    "SOURCE_BUCKET": bucket, "SOURCE_PREFIX": prefix, "OUTPUT_BUCKET": bucket, "OUTPUT_PREFIX": output, "ANY_NAME": "false",
    "TAG_OBJECTS": "true", "LOG_LEVEL": "warn", "AWS_ENDPOINT_URL_S3": cloud.address, "AWS_REGION": "us-east-1",
}, size=4, log=root / "target" / "logs" / "batch")
machine = states.create_state_machine(name="Runs", definition=definition(), roleArn=f"arn:aws:iam::{ACCOUNT}:role/r")["stateMachineArn"]

print("the first run", flush=True)
cloud.requests.clear()
began = time.monotonic()
first, execution = run("first", kills)
took, processor, requests = time.monotonic() - began, pool.processor_seconds(), cloud.requests.copy()
moves = transitions(execution)
versions = {key: etag for key, etag in listed(prefix).items() if key.endswith(".pdf")}
got, failed = versions_with_rows(), failures()
check("workers killed in the middle of a shard", len(pool.killed), kills)
check("rows", len(got), len(versions) - len(failed))
check("versions with more than one row", len(got) - len(set(got)), 0)
check("objects without a row or a failure", len(set(versions) - {key for key, _ in got} - set(failed)), 0)
check("objects with both", len({key for key, _ in got} & set(failed)), 0)
check("failures", {failed[prefix + "none.pdf"], failed[prefix + "empty.pdf"]}, {"not_a_pdf"})
check("rows of another version", sum(versions.get(key) != etag for key, etag in got), 0)
counts = first["counts"]
check("the run's own count", (counts["rows"], counts["objects"], first["missing_shards"]), (len(got), len(versions), 0))
outcomes = ("needs_review", "inconclusive", "no_findings")
wrong = sum(row["outcome"] not in outcomes or json.loads(row["metadata"])["integrity"]["verdict"] != row["verdict"]
            for row in rows(["outcome", "verdict", "metadata"]))
check("rows whose columns and JSON disagree", wrong, 0)
print(f"  {took:.1f} s on this machine; {processor * 1000 / objects:.2f} s of processor time for 1,000 objects, with that of the {kills} "
      f"killed; at most {pool.megabytes():.0f} MB in a process that lives")
print(f"  requests: {dict(sorted(requests.items()))}; GETs of objects for each: {requests['GET object'] / objects:.3f}")
if inspect := os.environ.get("INSPECT"):
    seconds = inspected(inspect)
    print(f"  inspect on a disk: {seconds * 1000 / objects:.2f} s for 1,000 files; the run takes {processor / seconds:.2f} × that")
stored = sum(row["Size"] for page in store.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=output + "rows/")
             for row in page["Contents"])
costs(requests, moves, processor, stored)

print("a second run finds nothing to do", flush=True)
calls = pool.calls["work"]
second, _ = run("second")
check("objects", second["counts"]["objects"], 0)
check("shards worked on", pool.calls["work"] - calls, 0)

print("a third run reads what is new or changed", flush=True)
store.put_object(Bucket=bucket, Key=prefix + "00/0000000.pdf", Body=bodies[1] + b"\n")
store.put_object(Bucket=bucket, Key=prefix + "new.pdf", Body=bodies[0])
store.delete_object(Bucket=bucket, Key=prefix + "01/0000001.pdf")
cloud.requests.clear()
third, _ = run("third")
check("objects", third["counts"]["objects"], 2)
check("GETs of objects", cloud.requests["GET object"], 2)
got = versions_with_rows()
check("versions with more than one row", len(got) - len(set(got)), 0)

print("two runs at once: the second is refused", flush=True)
store.put_object(Bucket=bucket, Key=output + "lock.json", Body=json.dumps({"run": "elsewhere"}).encode())
calls = pool.calls["plan"]
status, _, cause = ended(start("fourth"))
check("status", status, "FAILED")
check("tries", pool.calls["plan"] - calls, 1)
check("its cause names the other", "elsewhere" in (cause or ""), True)
store.delete_object(Bucket=bucket, Key=output + "lock.json")

print("a run that cannot plan says why, and lets the next one begin", flush=True)
latest = read(output + "latest.json")
store.put_object(Bucket=bucket, Key=output + "latest.json", Body=b"no JSON")
status, _, cause = ended(start("unplanned"))
check("status", status, "FAILED")
check("its cause names the file", "latest.json is malformed" in (cause or ""), True)
check("locks", len(listed(output + "lock.json")), 0)
store.put_object(Bucket=bucket, Key=output + "latest.json", Body=latest)

print("a new object: one row, one answer, one tag", flush=True)
body = bodies[0] + b"\n\n"
store.put_object(Bucket=bucket, Key=prefix + "event.pdf", Body=body)
etag = store.head_object(Bucket=bucket, Key=prefix + "event.pdf")["ETag"]
event = {"version": "0", "source": "aws.s3", "detail-type": "Object Created", "detail": {
    "bucket": {"name": bucket}, "object": {"key": prefix + "event.pdf", "size": len(body), "etag": etag.strip('"')}}}
answers = [json.loads(pool.invoke(json.dumps(event).encode()).answer) for _ in range(2)]
check("answers alike", answers[0] == answers[1] and answers[0]["key"], prefix + "event.pdf")
check("rows of it", sum(row["key"] == prefix + "event.pdf" for row in rows()), 1)
tags = store.get_object_tagging(Bucket=bucket, Key=prefix + "event.pdf")["TagSet"]
check("tags", tags, [{"Key": "pdf-analysis:outcome", "Value": answers[0]["outcome"]}])
fifth, _ = run("fifth")
check("objects of the next run", fifth["counts"]["objects"], 0)

pool.end()
print("all as it should be")
