"""Signed files of several kinds, each made from a seed: what forgeries and honest updates are appended to.

The document is written object by object, so that whoever changes it knows the role of every object; pyHanko signs it.
"""

import dataclasses
import datetime
import io
import logging
import random
import re
import zlib

from asn1crypto import keys, x509
from cryptography import x509 as certificates
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers, timestamps
from pyhanko.sign.fields import MDPPerm, SigFieldSpec
from pyhanko_certvalidator.registry import SimpleCertificateStore

# pyHanko warns of what is odd on purpose
logging.disable(logging.WARNING)

# What the visible text says, and what a forger wants it to say.
SIGNED = b"Pay 100 EUR to Alice"
FORGED = b"Pay 900 EUR to Mallory"
# The box of the table's total on the first page: left, bottom, right, top.
TOTAL_BOX = (430, 588, 500, 604)

FIRST_PAGE, FIRST_CONTENT, FIELD, CHECK_BOX, LIST, NOTE, SIGNATURE_FIELD = 4, 5, 12, 14, 17, 20, 19


def credentials(name, key):
    """A signer and a time-stamper with this key and a certificate issued by itself."""
    subject = certificates.Name([certificates.NameAttribute(certificates.NameOID.COMMON_NAME, name)])
    builder = certificates.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
    builder = builder.serial_number(7).not_valid_before(datetime.datetime(2020, 1, 1))
    builder = builder.not_valid_after(datetime.datetime(2099, 1, 1))
    usage = certificates.ExtendedKeyUsage([certificates.ExtendedKeyUsageOID.TIME_STAMPING])
    certificate = builder.add_extension(usage, critical=True).sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    key = keys.PrivateKeyInfo.load(private)
    certificate = x509.Certificate.load(certificate.public_bytes(serialization.Encoding.DER))
    store = SimpleCertificateStore()
    return (
        signers.SimpleSigner(certificate, key, store, signature_mechanism=None),
        timestamps.DummyTimeStamper(certificate, key, store),
    )


SIGNER, _ = credentials("Signer", ec.generate_private_key(ec.SECP256R1()))
SECOND_SIGNER, STAMPER = credentials("Second Signer", rsa.generate_private_key(public_exponent=65537, key_size=2048))


def stream(body, entries=b"", packed=False):
    if packed:
        body, entries = zlib.compress(body), entries + b" /Filter /FlateDecode"
    return b"<< /Length %d%s >>\nstream\n%s\nendstream" % (len(body), entries and b" " + entries, body)


def text(*lines):
    """Page content that shows each (x, y, words)."""
    return b"\n".join(b"BT /F1 12 Tf 1 0 0 1 %d %d Tm (%s) Tj ET" % (x, y, words) for x, y, words in lines)


def look(words, width, height, entries=b""):
    """The appearance of a text field or list."""
    content = b"/Tx BMC q BT /Helv 10 Tf 0 g 2 4 Td (%s) Tj ET Q EMC" % words
    dictionary = b"/Type /XObject /Subtype /Form /BBox [0 0 %d %d] /Resources << /Font << /Helv 10 0 R >> >>" % (
        width,
        height,
    )
    return stream(content, dictionary + entries)


def widget(kind, name, rectangle, appearance, more):
    """A field that is its own widget on the third page."""
    return (
        b"<< /Type /Annot /Subtype /Widget /FT /%s /T (%s) /F 4 /Rect [%d %d %d %d] /AP << /N %d 0 R >> /P 8 0 R"
        b" /DA (/Helv 10 Tf 0 g) %s >>" % (kind, name, *rectangle, appearance, more)
    )


def radio(name, state, rectangle):
    return (
        b"<< /Type /Annot /Subtype /Widget /Parent 45 0 R /F 4 /Rect [%d %d %d %d] /AS /%s"
        b" /AP << /N << /%s 15 0 R /Off 16 0 R >> >> /P 8 0 R >>" % (*rectangle, state, name)
    )


def formatted(kind, options, suffix=b""):
    """The scripts with which Acrobat formats what is typed."""
    options = options.replace(b"(", b"\\(").replace(b")", b"\\)")
    script = b"<< /S /JavaScript /JS (%s_%s%s\\(%s\\);) >>"
    return b"/AA << /K %s /F %s >>" % (
        script % (kind, b"Keystroke", suffix, options),
        script % (kind, b"Format", suffix, options),
    )


def document(rng):
    """The objects of an invoice of three pages with a form, a note, links, an attachment and tags, by number."""
    packed = rng.random() < 0.3
    table = [(72, 640, b"Item"), (430, 640, b"Amount"), (72, 620, b"Advice"), (430, 620, b"950.00")]
    table += [(72, 606, b"Travel"), (430, 606, b"300.00"), (72, 592, b"Total"), (430, 592, b"1,250.00")]
    first = text((72, 720, b"Invoice 4711"), (72, 680, SIGNED), *table) + b"\n0.5 w 72 634 m 500 634 l S"
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R /AcroForm 11 0 R /Names 25 0 R /Outlines 28 0 R /StructTreeRoot 30 0 R"
        b" /MarkInfo << /Marked true >> /PageLabels 42 0 R /Metadata 23 0 R /Lang (en) >>",
        2: b"<< /Type /Pages /Kids [4 0 R 3 0 R] /Count 3 /Resources 40 0 R /MediaBox [0 0 595 842] >>",
        3: b"<< /Type /Pages /Kids [6 0 R 8 0 R] /Count 2 /Parent 2 0 R >>",
        4: b"<< /Type /Page /Parent 2 0 R /Contents 5 0 R /StructParents 0 /Annots [12 0 R 14 0 R 17 0 R 20 0 R 24 0 R] >>",
        5: stream(first, packed=packed),
        6: b"<< /Type /Page /Parent 3 0 R /Contents 7 0 R /Annots 41 0 R >>",
        7: stream(text((72, 720, b"Terms"), (72, 690, b"Payment within 30 days to account 4242.")), packed=packed),
        8: b"<< /Type /Page /Parent 3 0 R /Contents [9 0 R 34 0 R] /Annots [43 0 R 46 0 R 47 0 R 48 0 R 50 0 R 52 0 R] >>",
        9: stream(text((72, 720, b"Annex"), (72, 690, b"No further claims of 500 EUR.")), packed=packed),
        10: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        11: b"<< /Fields [12 0 R 14 0 R 17 0 R 19 0 R 43 0 R 45 0 R 48 0 R 50 0 R 52 0 R] /CO [48 0 R] /DR << /Font << /Helv 10 0 R >> >> /DA (/Helv 10 Tf 0 g) /SigFlags 3 >>",
        12: b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (Limit) /V (500) /DA (/Helv 10 Tf 0 g) /F 4"
        b" /Rect [72 540 172 556] /AP << /N 13 0 R >> /P 4 0 R >>",
        13: look(b"500", 100, 16),
        14: b"<< /Type /Annot /Subtype /Widget /FT /Btn /T (Agree) /V /Off /AS /Off /F 4 /Rect [200 540 214 554]"
        b" /AP << /N << /Yes 15 0 R /Off 16 0 R >> >> /P 4 0 R >>",
        15: stream(b"2 2 10 10 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 14 14]"),
        16: stream(b"0.5 0.5 13 13 re S", b"/Type /XObject /Subtype /Form /BBox [0 0 14 14]"),
        17: b"<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /T (Country) /V (France) /Opt [(France) (Spain)]"
        b" /DA (/Helv 10 Tf 0 g) /F 4 /Rect [240 540 340 556] /AP << /N 18 0 R >> /P 4 0 R >>",
        18: look(b"France", 100, 16),
        19: b"<< /Type /Annot /Subtype /Widget /FT /Sig /T (Standing) /F 4 /Rect [300 400 450 440] /P 6 0 R >>",
        20: b"<< /Type /Annot /Subtype /Text /Contents (A question) /Rect [520 700 540 720] /F 4 /NM (note) /P 4 0 R"
        b" /Popup 21 0 R >>",
        21: b"<< /Type /Annot /Subtype /Popup /Rect [400 600 500 650] /Parent 20 0 R >>",
        22: b"<< /Title (Invoice 4711) /Author (Alice) /Producer (Forge) /CreationDate (D:20240101120000Z)"
        b" /ModDate (D:20240101120000Z) >>",
        23: stream(
            b'<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF'
            b' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""'
            b' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Invoice 4711'
            b'</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>',
            b"/Type /Metadata /Subtype /XML",
        ),
        24: b"<< /Type /Annot /Subtype /Link /Rect [72 500 200 514] /Border [0 0 0] /A << /S /URI /URI (https://bank.example) >> >>",
        25: b"<< /EmbeddedFiles << /Names [(data.txt) 26 0 R] >> >>",
        26: b"<< /Type /Filespec /F (data.txt) /UF (data.txt) /EF << /F 27 0 R >> >>",
        27: stream(b"Total 1,250.00", b"/Type /EmbeddedFile"),
        28: b"<< /Type /Outlines /First 29 0 R /Last 29 0 R /Count 1 >>",
        29: b"<< /Title (Terms) /Parent 28 0 R /Dest [6 0 R /Fit] >>",
        30: b"<< /Type /StructTreeRoot /K 31 0 R /ParentTree << /Nums [0 [31 0 R]] >> >>",
        31: b"<< /Type /StructElem /S /P /P 30 0 R /Pg 4 0 R /K 0 >>",
        33: b"<< /Type /ExtGState /ca 1 >>",
        34: stream(b"q 40 0 0 40 72 600 cm /Im1 Do Q"),
        35: stream(
            bytes([200, 30, 30] * 64),
            b"/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8",
        ),
        40: b"<< /Font << /F1 10 0 R >> /ExtGState << /G0 33 0 R >> /XObject << /Im1 35 0 R >> >>",
        41: b"[19 0 R]",
        42: b"<< /Nums [0 << /S /D >>] >>",
        # a comb, two radio buttons, an amount with a format, a date with one, and several lines
        43: widget(b"Tx", b"Code", (72, 500, 192, 516), 44, b"/Ff 16777216 /MaxLen 6 /V (4711)"),
        44: look(b"4711", 120, 16),
        45: b"<< /FT /Btn /Ff 49152 /T (Way) /V /Card /Kids [46 0 R 47 0 R] >>",
        46: radio(b"Card", b"Card", (72, 470, 86, 484)),
        47: radio(b"Cash", b"Off", (92, 470, 106, 484)),
        48: widget(
            b"Tx", b"Amount", (72, 440, 172, 456), 49, b"/V (1250) " + formatted(b"AFNumber", b'2, 0, 0, 0, "", true')
        ),
        49: look(b"1,250.00", 100, 16),
        50: widget(
            b"Tx", b"Due", (72, 410, 172, 426), 51, b"/V (01.03.2024) " + formatted(b"AFDate", b'"dd.mm.yyyy"', b"Ex")
        ),
        51: look(b"01.03.2024", 100, 16),
        52: widget(b"Tx", b"Remarks", (72, 350, 272, 400), 53, b"/Ff 4096 /V (None)"),
        53: look(b"None", 200, 50),
    }
    if rng.random() < 0.3:  # the form inline
        form = objects.pop(11)
        objects[1] = objects[1].replace(b"/AcroForm 11 0 R", b"/AcroForm " + form)
    if rng.random() < 0.3:  # no tags
        del objects[30], objects[31]
        objects[1] = objects[1].replace(b" /StructTreeRoot 30 0 R", b"").replace(b" /MarkInfo << /Marked true >>", b"")
        objects[4] = objects[4].replace(b" /StructParents 0", b"")
    if rng.random() < 0.3:  # a field without a look
        objects[12] = objects[12].replace(b" /AP << /N 13 0 R >>", b"")
        del objects[13]
    return objects


def is_stream(body):
    return body.rstrip().endswith(b"endstream")


def write(objects, trailer, xref_stream=False, unlisted=b""):
    """The file with a table, or with object and cross-reference streams; `unlisted` lies behind all objects."""
    file = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
    rows = {}
    loose = dict(objects)
    if xref_stream:
        members = {number: body for number, body in objects.items() if not is_stream(body)}
        loose = {number: body for number, body in objects.items() if is_stream(body)}
        holder = max(objects) + 1
        loose[holder] = object_stream(members)
        rows.update({number: (2, holder, place) for place, number in enumerate(members)})
    for number, body in loose.items():
        rows[number] = (1, len(file), 0)
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    file += unlisted
    start = len(file)
    if not xref_stream:
        size = max(rows) + 1
        lines = [b"0000000000 65535 f \n"]
        lines += [b"%010d 00000 n \n" % rows[n][1] if n in rows else b"0000000000 00001 f \n" for n in range(1, size)]
        return file + b"xref\n0 %d\n%strailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (
            size,
            b"".join(lines),
            size,
            trailer,
            start,
        )
    own = max(rows) + 1
    rows[own] = (1, start, 0)
    table = b"".join(packed_row(rows.get(number, (0, 0, 1 if number else 255))) for number in range(own + 1))
    entries = b"/Type /XRef /Size %d /W [1 4 2] %s" % (own + 1, trailer)
    return file + b"%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (own, stream(table, entries, packed=True), start)


def packed_row(row):
    kind, second, third = row
    return bytes([kind]) + second.to_bytes(4, "big") + third.to_bytes(2, "big")


def object_stream(members):
    index, bodies = b"", b""
    for number, body in members.items():
        index += b"%d %d " % (number, len(bodies))
        bodies += body + b"\n"
    return stream(index + bodies, b"/Type /ObjStm /N %d /First %d" % (len(members), len(index)), packed=True)


@dataclasses.dataclass
class Base:
    """A signed file."""

    name: str
    file: bytes
    objects: dict  # as they were written, before the signature
    level: int  # what the certification permits; 0 for an approval
    xref_stream: bool
    trap: bytes | None  # the body of a forged copy of the first page's content that lies unlisted in the signed bytes

    @property
    def start(self):
        """The offset of the newest cross-reference section."""
        return int(re.findall(rb"startxref\s+(\d+)", self.file)[-1])

    @property
    def size(self):
        return max(map(int, re.findall(rb"/Size (\d+)", self.file)))


def evil_content():
    """The content of the first page with another sum and another payee."""
    lines = (72, 720, b"Invoice 4711"), (72, 680, FORGED), (430, 592, b"9,250.00")
    return stream(text(*lines))


def sign(file, level, name, signer=SIGNER, **more):
    """Signed into a field that is new and invisible, unless `more` says otherwise."""
    output = io.BytesIO()
    metadata = signers.PdfSignatureMetadata(
        field_name=name, md_algorithm="sha256", certify=level > 0, docmdp_permissions=MDPPerm(level or 2)
    )
    writer = IncrementalPdfFileWriter(io.BytesIO(file), strict=False)
    signers.PdfSigner(metadata, signer, **more).sign_pdf(writer, output=output)
    return output.getvalue()


def base(seed, level=None, xref_stream=None, trap=None):
    """One of the files; what is not given is chosen by the seed."""
    rng = random.Random(f"base {seed}")
    objects = document(rng)
    chosen = (rng.choice((0, 1, 2, 3)), rng.random() < 0.5, rng.random() < 0.3)
    level = chosen[0] if level is None else level
    xref_stream = chosen[1] if xref_stream is None else xref_stream
    trap = chosen[2] if trap is None else trap
    evil = b"5 0 obj\n%s\nendobj\n" % evil_content() if trap else b""
    trailer = b"/Root 1 0 R /Info 22 0 R /ID [<%s> <%s>]" % ((b"%032x" % rng.getrandbits(128),) * 2)
    file = write(objects, trailer, xref_stream, evil)
    visible = rng.random() < 0.3
    spec = SigFieldSpec("Signed", on_page=1, box=(72, 300, 222, 340)) if visible else None
    file = sign(file, level, "Signed", **({"new_field_spec": spec} if spec else {}))
    kind = (
        f"{seed}-P{level}-{'stream' if xref_stream else 'table'}{'-trap' if trap else ''}{'-seen' if visible else ''}"
    )
    return Base(kind, file, objects, level, xref_stream, evil or None)
