"""A whole service for one run of checks: the debug server on free ports, gone when the run ends."""

import json
import os
import pathlib
import re
import subprocess
import threading
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = os.environ.get("SERVER", ROOT / "target/debug/pdf-analysis")


class Service:
    """`api`, `token` and the stores' addresses of a running server; a context manager."""

    def __init__(self, *options):
        self.options = options

    def __enter__(self):
        ports = [f"--{name}=127.0.0.1:0" for name in ("listen", "dynamodb-listen", "s3-listen")]
        environment = {**os.environ, "RUST_LOG": os.environ.get("RUST_LOG", "error")}
        self.process = subprocess.Popen(
            [SERVER, "--fresh", *ports, *self.options], stdout=subprocess.PIPE, text=True, env=environment
        )
        text = ""
        while "Ctrl-C" not in text:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the server did not start")
            text += line
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.origin = re.search(r"Console +(\S+)/", text)[1]
        self.api = re.search(r"API +(\S+)", text)[1]
        self.dynamodb = re.search(r"DynamoDB +(\S+)", text)[1]
        self.token = re.search(r"^ +(pdfa_\w+)$", text, re.M)[1]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    def limit_to(self, analyses):
        """Sets the demo account's daily limit, as an operator would."""
        key = self._dynamodb("Scan", FilterExpression="sk = :a", ExpressionAttributeValues={":a": {"S": "ACCOUNT"}})
        item = key["Items"][0]
        self._dynamodb(
            "UpdateItem",
            Key={"pk": item["pk"], "sk": item["sk"]},
            UpdateExpression="SET daily_limit = :limit",
            ExpressionAttributeValues={":limit": {"N": str(analyses)}},
        )

    def _dynamodb(self, operation, **parameters):
        headers = {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            # the embedded store wants a signature, whatever it is and of whatever day
            "X-Amz-Date": "19700101T000000Z",
            "Authorization": "AWS4-HMAC-SHA256 Credential=local/19700101/us-east-1/dynamodb/aws4_request, "
            "SignedHeaders=host, Signature=0",
        }
        body = json.dumps({"TableName": "Table", **parameters}).encode()
        with urllib.request.urlopen(urllib.request.Request(self.dynamodb, body, headers)) as answer:
            return json.load(answer)


def pdf(title="Title", size=0):
    """A PDF of one page, filled up to about `size` bytes."""
    text = title.encode("utf-16-be").hex()
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
        f"<< /Title <FEFF{text}> /Author (Ada Lovelace) /Creator (Writer) /Producer (LibreOffice 24.2)"
        " /CreationDate (D:20250115103000+01'00') /ModDate (D:20250117164200+01'00') >>",
        f"<< /Length {size} >>\nstream\n{'x' * size}\nendstream",
    ]
    file, offsets = "%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(file))
        file += f"{number} 0 obj\n{content}\nendobj\n"
    entries = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    identifier = "5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5b"
    trailer = f"<< /Size 6 /Root 1 0 R /Info 4 0 R /ID [<{identifier}> <{identifier}>] >>"
    return f"{file}xref\n0 6\n0000000000 65535 f \n{entries}trailer\n{trailer}\nstartxref\n{len(file)}\n%%EOF\n".encode()
