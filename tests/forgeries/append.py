"""Has pyHanko append to signed files what their signatures permit: signatures, time-stamps, validation data, values.

Takes a folder with `builds.jsonl` and the files that it names; writes `NAME, DEED.pdf` beside them into a folder of their own.
"""

import datetime
import io
import json
import pathlib
import sys

from asn1crypto import algos, keys, x509
from cryptography import x509 as certificates
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.generic import pdf_name
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers, timestamps
from pyhanko.sign.fields import SigFieldSpec, append_signature_field
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko_certvalidator.registry import SimpleCertificateStore

BORN = datetime.datetime(2020, 1, 1)
ENDS = datetime.datetime(2099, 1, 1)


def credentials():
    """A key and a certificate that vouches for itself, good for signing and for time-stamps."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = certificates.Name([certificates.NameAttribute(certificates.NameOID.COMMON_NAME, "Other Software")])
    builder = certificates.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(7).not_valid_before(BORN).not_valid_after(ENDS)
    usage = certificates.ExtendedKeyUsage([certificates.ExtendedKeyUsageOID.TIME_STAMPING])
    certificate = builder.add_extension(usage, critical=True).sign(key, hashes.SHA256())
    encoding = serialization.Encoding.DER
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return (
        keys.PrivateKeyInfo.load(private),
        x509.Certificate.load(certificate.public_bytes(encoding)),
    )


KEY, CERTIFICATE = credentials()
SIGNER = signers.SimpleSigner(CERTIFICATE, KEY, SimpleCertificateStore(), signature_mechanism=None)
STAMPER = timestamps.DummyTimeStamper(CERTIFICATE, KEY, SimpleCertificateStore())


def sign(writer, output):
    metadata = signers.PdfSignatureMetadata(field_name="Second", md_algorithm="sha256")
    signers.PdfSigner(metadata, SIGNER).sign_pdf(writer, output=output)


def sign_with_time(writer, output):
    metadata = signers.PdfSignatureMetadata(field_name="Second", md_algorithm="sha256")
    signers.PdfSigner(metadata, SIGNER, timestamper=STAMPER).sign_pdf(writer, output=output)


def time_stamp(writer, output):
    signers.PdfTimeStamper(STAMPER).timestamp_pdf(writer, "sha256", None, output=output)


def validation_data(writer, output):
    DocumentSecurityStore.supply_dss_in_writer(writer, b"a signature", certs=[CERTIFICATE])
    writer.write(output)


def empty_field(writer, output):
    append_signature_field(writer, SigFieldSpec("Later"))
    writer.write(output)


def metadata(writer, output):
    info = writer.trailer["/Info"]
    info[pdf_name("/ModDate")] = generic.pdf_date(datetime.datetime(2025, 2, 1, tzinfo=datetime.timezone.utc))
    writer.update_container(info)
    writer.write(output)


def fill(writer, output):
    """Every text field."""
    for reference in writer.root["/AcroForm"]["/Fields"]:
        field = reference.get_object()
        if field.get("/FT") == "/Tx":
            field[pdf_name("/V")] = generic.TextStringObject("2500")
            writer.update_container(field)
    writer.write(output)


ALWAYS = (time_stamp, validation_data, metadata)
FILLING = (sign, sign_with_time, empty_field)


def deeds(build):
    """What may be done to it; nothing if it refers to what is not there, which pyHanko cannot take."""
    if not build["is_whole"]:
        return
    yield from ALWAYS
    if build["permits"] != "Nothing":
        yield from FILLING
        if not build["has_locks"]:
            yield fill


def main(folder):
    made = folder / "others"
    made.mkdir(exist_ok=True)
    for line in (folder / "builds.jsonl").open():
        build = json.loads(line)
        data = (folder / f"{build['name']}.pdf").read_bytes()
        for deed in deeds(build):
            output = io.BytesIO()
            deed(IncrementalPdfFileWriter(io.BytesIO(data), strict=False), output)
            (made / f"{build['name']}, {deed.__name__}.pdf").write_bytes(output.getvalue())


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
