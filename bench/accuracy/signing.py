"""Keys of this run, and signatures, time-stamps and validation data by pyHanko."""

import datetime, io
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers, timestamps

SIGNERS = ["first", "second"]


def make_keys(folder: Path):
    """Two self-signed signers (RSA and elliptic curve) and a time-stamp authority."""
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now(datetime.timezone.utc)
    for name, words in [("first", "Northgate Accounts"), ("second", "Riverside Legal"), ("tsa", "Local Time Stamps")]:
        key = ec.generate_private_key(ec.SECP256R1()) if name == "second" else rsa.generate_private_key(65537, 2048)
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, words), x509.NameAttribute(NameOID.COUNTRY_NAME, "DE")])
        made = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=500))
            .not_valid_after(now + datetime.timedelta(days=2000))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.KeyUsage(True, True, False, False, False, False, False, False, False), critical=True)
        )
        if name == "tsa":
            made = made.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
        certificate = made.sign(key, hashes.SHA256())
        private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        (folder / f"{name}.key").write_bytes(private)
        (folder / f"{name}.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def signer(folder, name):
    return signers.SimpleSigner.load(str(folder / f"{name}.key"), str(folder / f"{name}.crt"))


def time_stamper(folder):
    """A time-stamp authority within this process."""
    loaded = signer(folder, "tsa")
    return timestamps.DummyTimeStamper(loaded.signing_cert, loaded.signing_key)


PERMISSIONS = {1: fields.MDPPerm.NO_CHANGES, 2: fields.MDPPerm.FILL_FORMS, 3: fields.MDPPerm.ANNOTATE}


def sign(data, folder, name="first", *, field=None, box=None, page=0, certify=None, stamped=False, pades=False):
    """The signed file. `box` makes the signature visible; `certify` is the DocMDP level of a certification."""
    writer = IncrementalPdfFileWriter(io.BytesIO(data), strict=False)
    field = field or f"Signature{data.count(b'/ByteRange') + 1}"
    metadata = signers.PdfSignatureMetadata(
        field_name=field,
        reason="Approved",
        location="Kiel",
        md_algorithm="sha256",
        certify=certify is not None,
        docmdp_permissions=PERMISSIONS[certify or 2],
        subfilter=fields.SigSeedSubFilter.PADES if pades else fields.SigSeedSubFilter.ADOBE_PKCS7_DETACHED,
    )
    out = io.BytesIO()
    signers.PdfSigner(
        metadata,
        signer=signer(folder, name),
        timestamper=time_stamper(folder) if stamped else None,
        new_field_spec=fields.SigFieldSpec(field, on_page=page, box=box),
    ).sign_pdf(writer, output=out)
    return out.getvalue()


def time_stamp(data, folder):
    """The file with a document time-stamp."""
    out = io.BytesIO()
    writer = IncrementalPdfFileWriter(io.BytesIO(data), strict=False)
    signers.PdfTimeStamper(time_stamper(folder), field_name=f"Stamp{data.count(b'/ByteRange') + 1}").timestamp_pdf(
        writer, "sha256", output=out
    )
    return out.getvalue()


def validation_data(data, folder):
    """The file with the signers' certificates in a document security store."""
    from pyhanko.sign.validation.dss import DocumentSecurityStore

    certificates = [signer(folder, name).signing_cert for name in (*SIGNERS, "tsa")]
    out = io.BytesIO(data)
    DocumentSecurityStore.add_dss(output_stream=out, sig_contents=None, certs=certificates)
    return out.getvalue()


def empty_fields(data, boxes):
    """The file with empty visible signature fields, as a template has."""
    writer = IncrementalPdfFileWriter(io.BytesIO(data), strict=False)
    for number, box in enumerate(boxes, 1):
        fields.append_signature_field(writer, fields.SigFieldSpec(f"Party{number}", on_page=0, box=box))
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def any_signature(data, folder, rng):
    """A signature of a random kind; and the DocMDP level, if it certifies."""
    certify = rng.choice([None, None, 1, 2])
    box = (330, 60, 520, 110) if rng.random() < 0.5 else None
    return sign(
        data, folder, rng.choice(SIGNERS), box=box, certify=certify, stamped=rng.random() < 0.3, pades=rng.random() < 0.5
    ), certify
