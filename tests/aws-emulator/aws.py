"""moto's server in the place of AWS, with the table and the bucket of template.yaml."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import boto3
import yaml
from botocore.config import Config
from botocore.exceptions import BotoCoreError

ROOT = Path(__file__).resolve().parents[2]
REGION = "us-east-1"
PARAMETERS = {"ConsoleOrigin": "*"}


class Template(yaml.SafeLoader):
    """Reads CloudFormation's YAML; a parameter's reference becomes its value, any other None."""


def _tag(loader, tag, node):
    if tag == "Ref" and isinstance(node, yaml.ScalarNode):
        return PARAMETERS.get(node.value)
    return None


Template.add_multi_constructor("!", _tag)


def resources():
    """The template's resources, by logical id."""
    return yaml.load((ROOT / "template.yaml").read_text(), Template)["Resources"]


class Aws:
    """`endpoint`, `table` and `bucket` of a running emulator; a context manager."""

    table, bucket = "pdf-analysis-Table", "pdf-analysis-uploads"

    def __enter__(self):
        port = _free_port()
        self.endpoint = f"http://127.0.0.1:{port}"
        program = Path(sys.executable).with_name("moto_server")
        self.log = open(ROOT / "target/emulator-tools/moto.log", "w")
        self.process = subprocess.Popen([program, "-H", "127.0.0.1", "-p", str(port)], stdout=self.log, stderr=self.log)
        self.dynamodb, self.s3 = self._client("dynamodb"), self._client("s3")
        self._wait()
        declared = resources()
        self._make_table(declared["Table"]["Properties"])
        self._make_bucket(declared["Uploads"]["Properties"])
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()

    def environment(self):
        """What a process needs to take the emulator for AWS."""
        return {
            "PATH": os.environ["PATH"],
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_REGION": REGION,
            "AWS_ACCESS_KEY_ID": "emulator",
            "AWS_SECRET_ACCESS_KEY": "emulator",
            "AWS_EC2_METADATA_DISABLED": "true",
            "TABLE_NAME": self.table,
            "UPLOAD_BUCKET": self.bucket,
        }

    def items(self):
        """Everything in the table."""
        pages = self.dynamodb.get_paginator("scan").paginate(TableName=self.table, ConsistentRead=True)
        return [item for page in pages for item in page["Items"]]

    def objects(self):
        """The keys in the bucket."""
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket=self.bucket)
        return [found["Key"] for page in pages for found in page.get("Contents", [])]

    def _client(self, service):
        config = Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"})
        key = {"aws_access_key_id": "emulator", "aws_secret_access_key": "emulator"}
        return boto3.client(service, endpoint_url=self.endpoint, region_name=REGION, config=config, **key)

    def _wait(self):
        for _ in range(300):
            try:
                self.dynamodb.list_tables()
                return
            except BotoCoreError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise SystemExit(f"moto did not start; see {self.log.name}")

    def _make_table(self, declared):
        later = ("TimeToLiveSpecification", "PointInTimeRecoverySpecification")
        at_once = {name: value for name, value in declared.items() if name not in later}
        sse = at_once.pop("SSESpecification")
        at_once["SSESpecification"] = {"Enabled": sse["SSEEnabled"]}
        self.dynamodb.create_table(TableName=self.table, **at_once)
        self.dynamodb.update_time_to_live(TableName=self.table, TimeToLiveSpecification=declared[later[0]])
        self.dynamodb.update_continuous_backups(
            TableName=self.table, PointInTimeRecoverySpecification=declared[later[1]]
        )

    def _make_bucket(self, declared):
        # one that this does not know would be missing here and nobody would see it
        known = {"PublicAccessBlockConfiguration", "OwnershipControls", "BucketEncryption", "CorsConfiguration"}
        assert set(declared) == known | {"LifecycleConfiguration"}, sorted(declared)
        bucket = {"Bucket": self.bucket}
        self.s3.create_bucket(**bucket)
        block = declared["PublicAccessBlockConfiguration"]
        self.s3.put_public_access_block(PublicAccessBlockConfiguration=block, **bucket)
        self.s3.put_bucket_ownership_controls(OwnershipControls=declared["OwnershipControls"], **bucket)
        rules = declared["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        rules = [{"ApplyServerSideEncryptionByDefault": rule["ServerSideEncryptionByDefault"]} for rule in rules]
        self.s3.put_bucket_encryption(ServerSideEncryptionConfiguration={"Rules": rules}, **bucket)
        cors = [{**rule, "MaxAgeSeconds": rule["MaxAge"]} for rule in declared["CorsConfiguration"]["CorsRules"]]
        for rule in cors:
            del rule["MaxAge"]
        self.s3.put_bucket_cors(CORSConfiguration={"CORSRules": cors}, **bucket)
        rules = []
        for rule in declared["LifecycleConfiguration"]["Rules"]:
            known = {"Id", "Status", "Prefix", "ExpirationInDays", "AbortIncompleteMultipartUpload"}
            assert set(rule) == known, sorted(rule)
            expiration = {"Days": rule["ExpirationInDays"]}
            abort = rule["AbortIncompleteMultipartUpload"]
            rules.append({"ID": rule["Id"], "Status": rule["Status"], "Filter": {"Prefix": rule["Prefix"]}, "Expiration": expiration,
                          "AbortIncompleteMultipartUpload": abort})
        self.s3.put_bucket_lifecycle_configuration(LifecycleConfiguration={"Rules": rules}, **bucket)


def _free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
