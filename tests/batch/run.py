"""Runs the batch stack against an emulated cloud: every object one row, whatever is killed, repeated or changed.

    run.py BATCH SAMPLES [OBJECTS] [KILLS] [S3]

BATCH is the function's binary, SAMPLES a folder of PDFs, which are stored OBJECTS times (400), KILLS workers are killed in the middle of
a shard (5). With S3, the address of another S3 whose access keys the environment has, objects and rows are there instead of in moto.
"""
import io, json, os, pathlib, subprocess, sys, time, uuid

import boto3, pyarrow.parquet
from botocore.config import Config

from cloud import Cloud, Pool

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
binary, samples = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
objects, kills = (int(value) for value in (sys.argv[3:5] + ["400", "5"][len(sys.argv[3:5]):]))
other = sys.argv[5] if len(sys.argv) > 5 else None

os.environ.setdefault("AWS_ACCESS_KEY_ID", "test")
os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "test")
cloud = Cloud()
client = lambda service, address=cloud.address: boto3.client(
    service, endpoint_url=address, region_name="us-east-1", config=Config(s3={"addressing_style": "path"}, max_pool_connections=50))
store, states = client("s3", other or cloud.address), client("stepfunctions")
bucket = os.environ.get("BUCKET", "papers")
if not other:
    store.create_bucket(Bucket=bucket)
prefix, output = "claims/", "pdf-analysis/"


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r}, not {wanted!r}")
    print(f"  {what}: {found}")


def listed(start):
    pages = store.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=start)
    return {row["Key"]: row["ETag"] for page in pages for row in page.get("Contents", ())}


def rows():
    """(key, ETag) of each row of all Parquet files, as another program reads them; and what they say."""
    found = []
    for name in listed(output + "rows/"):
        table = pyarrow.parquet.read_table(io.BytesIO(store.get_object(Bucket=bucket, Key=name)["Body"].read()))
        found += table.to_pylist()
    return found


def failures(folder="failures"):
    lines = []
    for name in listed(f"{output}{folder}/"):
        lines += [json.loads(line) for line in store.get_object(Bucket=bucket, Key=name)["Body"].read().splitlines()]
    return lines


def definition():
    text = (root / "batch" / "states.asl.json").read_text()
    arn = "arn:aws:lambda:us-east-1:123456789012:function:batch"
    values = {"AWS::Partition": "aws", "PlanFunction": arn, "WorkFunction": arn, "OutputBucketName": bucket, "OutputPrefix": output,
              "MaxConcurrency": "8"}
    for name, value in values.items():
        text = text.replace("${%s}" % name, value)
    # moto's grammar has this number with a fraction only
    return text.replace('"ToleratedFailurePercentage": 100', '"ToleratedFailurePercentage": 100.0')


def start(name):
    execution = states.start_execution(stateMachineArn=machine, name=name, input="{}")["executionArn"]
    return execution


def ended(execution):
    while (found := states.describe_execution(executionArn=execution))["status"] == "RUNNING":
        time.sleep(0.2)
    return found["status"], json.loads(found.get("output") or "null"), found.get("cause")


def run(name, killed=0):
    execution = start(name)
    due = time.monotonic()
    while killed and states.describe_execution(executionArn=execution)["status"] == "RUNNING":
        if time.monotonic() >= due and pool.kill_one():
            killed, due = killed - 1, time.monotonic() + 0.6
        time.sleep(0.02)
    status, answer, cause = ended(execution)
    if status != "SUCCEEDED":
        sys.exit(f"{name}: {status} {cause}")
    return answer


files = sorted(samples.glob("*.pdf"))
bodies = [file.read_bytes() for file in files]
print(f"{objects} objects of {len(files)} kinds")
for number in range(objects):
    store.put_object(Bucket=bucket, Key=f"{prefix}{number % 97:02}/{number:07}.pdf", Body=bodies[number % len(bodies)])
store.put_object(Bucket=bucket, Key=prefix + "none.pdf", Body=b"this is no PDF")
store.put_object(Bucket=bucket, Key=prefix + "empty.pdf", Body=b"")
store.put_object(Bucket=bucket, Key=prefix + "notes.txt", Body=b"not selected")

pool = cloud.pool = Pool(binary, {
    "SOURCE_BUCKET": bucket, "SOURCE_PREFIX": prefix, "OUTPUT_BUCKET": bucket, "OUTPUT_PREFIX": output, "ANY_NAME": "false",
    "TAG_OBJECTS": str(not other).lower(), "LOG_LEVEL": "warn", "AWS_ENDPOINT_URL_S3": other or cloud.address, "AWS_REGION": "us-east-1",
}, size=4, log=here.parent.parent / "target" / "logs" / "batch")
machine = states.create_state_machine(name="Runs", definition=definition(), roleArn="arn:aws:iam::123456789012:role/r")["stateMachineArn"]

print("the first run")
cloud.requests.clear()
began, before = time.monotonic(), pool.processor_seconds()
first = run("first", kills)
took, busy = time.monotonic() - began, pool.processor_seconds() - before
versions = {key: etag for key, etag in listed(prefix).items() if key.endswith(".pdf")}
found = rows()
got = [(row["key"], row["etag"]) for row in found]
failed = {line["key"]: line["reason"] for line in failures()}
check("workers killed", pool.kills, kills)
check("rows that stand twice", len(got) - len(set(got)), 0)
check("objects without a row or a failure", len(set(versions) - {key for key, _ in got} - set(failed)), 0)
check("objects with both", len({key for key, _ in got} & set(failed)), 0)
check("failures", {failed[prefix + "none.pdf"], failed[prefix + "empty.pdf"]}, {"not_a_pdf"})
check("rows of another version", sum(versions.get(key) != etag for key, etag in got), 0)
check("the run's own count", (first["counts"]["rows"], first["counts"]["objects"], first["missing_shards"]), (len(got), len(versions), 0))
check("rows without an outcome", sum(row["outcome"] not in ("needs_review", "inconclusive", "no_findings") for row in found), 0)
check("rows whose JSON disagrees", sum(json.loads(row["metadata"])["integrity"]["verdict"] != row["verdict"] for row in found), 0)
sizes = sorted(len(body) for body in bodies)
print(f"  {took:.1f} s, {busy:.1f} s of processor time in the workers that lived; requests to S3: {dict(cloud.requests)}")

print("a second run finds nothing to do")
calls = pool.calls["work"]
second = run("second")
check("objects", second["counts"]["objects"], 0)
check("shards worked on", pool.calls["work"] - calls, 0)

print("a third run does what is new or changed")
store.put_object(Bucket=bucket, Key=prefix + "00/0000000.pdf", Body=bodies[1] + b"\n")
store.put_object(Bucket=bucket, Key=prefix + "new.pdf", Body=bodies[0])
store.delete_object(Bucket=bucket, Key=prefix + "01/0000001.pdf")
third = run("third")
check("objects", third["counts"]["objects"], 2)
got = [(row["key"], row["etag"]) for row in rows()]
check("rows that stand twice", len(got) - len(set(got)), 0)

print("two runs at once: the second is refused")
store.put_object(Bucket=bucket, Key=output + "lock.json", Body=json.dumps({"run": "elsewhere"}).encode())
status, _, cause = ended(start("fourth"))
check("status", status, "FAILED")
check("its cause names the other", "elsewhere" in (cause or ""), True)
store.delete_object(Bucket=bucket, Key=output + "lock.json")

if not other:
    print("a new object: one row, one answer, one tag")
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
    fifth = run("fifth")
    check("objects of the next run", fifth["counts"]["objects"], 0)

pool.end()
print("all as it should be")
