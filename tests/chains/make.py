"""Makes signed files with random chains of certificates and what tells of their revocation: make.py COUNT SEED FOLDER.

Half of the chains have a fault, some two. Beside each `N.pdf` stand `N.pem`, its anchor, and `N.json`: the time of the signature,
the certificates and lists in DER (base64), and what was done to them. Needs no network.
"""

import base64
import datetime
import io
import json
import pathlib
import random
import sys

from asn1crypto import core, keys
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509 import ocsp
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.writer import PageObject, PdfFileWriter
from pyhanko.pdf_utils import generic
from pyhanko.sign import signers
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko_certvalidator.registry import SimpleCertificateStore

COUNT, SEED, FOLDER = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
# signatures claim the time at which they are made
NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
DAY = datetime.timedelta(days=1)
FAULTS = [
    "expired", "not-yet", "no-ca", "ca-false", "path-length", "no-cert-sign", "names", "excluded", "signature", "other-anchor",
    "critical", "policy", "mapping", "usage", "purpose", "weak", "missing", "reorder", "swapped-issuer",
    "revoked", "revoked-ca", "revoked-reason", "stale", "forged-list", "scope", "user-only", "delta", "no-list", "unknown-list",
    "ocsp-revoked", "ocsp-stranger", "ocsp-stale", "ocsp-purpose", "late", "garbage",
]
KEYS = {
    "rsa": [rsa.generate_private_key(65537, 2048) for _ in range(4)],
    "p256": [ec.generate_private_key(ec.SECP256R1()) for _ in range(8)],
    "p384": [ec.generate_private_key(ec.SECP384R1()) for _ in range(4)],
    "ed": [ed25519.Ed25519PrivateKey.generate() for _ in range(8)],
}
POLICY = [x509.ObjectIdentifier(f"1.3.6.1.4.1.55555.{n}") for n in range(1, 4)]


def hash_for(key):
    return None if isinstance(key, ed25519.Ed25519PrivateKey) else hashes.SHA256()


def name(common, unit="Random chains"):
    return x509.Name([
        x509.NameAttribute(NameOID.COUNTRY_NAME, "DE"),
        x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, unit),
        x509.NameAttribute(NameOID.COMMON_NAME, common),
    ])


def usage(*bits):
    names = ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign", "crl_sign"]
    return x509.KeyUsage(**{n: n in bits for n in names}, encipher_only=False, decipher_only=False)


class Node:
    """A certificate with its key."""

    def __init__(self, certificate, key, subject):
        self.certificate, self.key, self.subject = certificate, key, subject

    @property
    def der(self):
        return self.certificate.public_bytes(serialization.Encoding.DER)


def base_pdf():
    writer = PdfFileWriter()
    page = PageObject(contents=writer.add_object(generic.StreamObject(stream_data=b"")), media_box=(0, 0, 200, 200))
    writer.insert_page(page)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


BASE = base_pdf()


def chain(chance, faults):
    """Certificates from the anchor down to the signer."""
    depth = chance.choice([0, 1, 1, 1, 2, 2, 3])
    kinds = [chance.choice(["rsa", "p256", "p256", "p384", "ed", "ed"]) for _ in range(depth + 2)]
    taken = {kind: chance.sample(keys_of, len(keys_of)) for kind, keys_of in KEYS.items()}
    nodes = []
    where = lambda: chance.randrange(1, depth + 1) if depth else None
    place = {fault: where() for fault in faults}
    explicit = "policy" in faults or "mapping" in faults or chance.random() < 0.15
    for level in range(depth + 2):
        signer, is_root = level == depth + 1, level == 0
        kind = kinds[level]
        key = taken[kind].pop() if taken[kind] else ec.generate_private_key(ec.SECP256R1())
        if "weak" in faults and level == max(1, depth):
            key = rsa.generate_private_key(65537, 1024)
        subject = name("Signer" if signer else f"Authority {level}")
        above = nodes[-1] if nodes else Node(None, key, subject)
        issuer_key, issuer_name = above.key, above.subject
        at = lambda fault: fault in faults and (place[fault] or depth + 1) == level
        if at("signature"):
            issuer_key = ec.generate_private_key(ec.SECP256R1())
        if at("swapped-issuer") and len(nodes) > 1:
            issuer_name = nodes[-2].subject
        start, end = NOW - 400 * DAY, NOW + 400 * DAY
        if at("expired"):
            end = NOW - 10 * DAY
        if at("not-yet"):
            start = NOW + 10 * DAY
        if signer and "late" in faults:
            end = NOW + 5 * DAY
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer_name).public_key(key.public_key())
        builder = builder.serial_number(chance.randrange(1, 1 << 64)).not_valid_before(start).not_valid_after(end)
        add = lambda extension, critical: builder.add_extension(extension, critical)
        if chance.random() < 0.8:
            builder = add(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        if not is_root and chance.random() < 0.6:
            builder = add(x509.AuthorityKeyIdentifier.from_issuer_public_key(above.key.public_key()), False)
        if not signer:
            length = chance.choice([None, None, depth - level, depth - level + 1])
            if at("path-length") and depth - level > 0:
                length = depth - level - 1
            if not at("no-ca"):
                builder = add(x509.BasicConstraints(not at("ca-false"), None if at("ca-false") else length), chance.random() < 0.9)
            bits = ["crl_sign"] if at("no-cert-sign") else ["key_cert_sign", "crl_sign"]
            builder = add(usage(*bits), True)
            if at("names"):
                builder = add(x509.NameConstraints([x509.DirectoryName(x509.Name(list(name("x", "Others"))[:2]))], None), True)
            elif at("excluded"):
                builder = add(x509.NameConstraints(None, [x509.DirectoryName(x509.Name(list(name("x"))[:2]))]), True)
            elif not is_root and chance.random() < 0.15:
                builder = add(x509.NameConstraints([x509.DirectoryName(x509.Name(list(name("x"))[:2]))], None), True)
        else:
            bits = ["digital_signature"] if "usage" in faults else ["digital_signature", "content_commitment"]
            builder = add(usage(*bits), True)
            if "purpose" in faults:
                builder = add(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
            elif chance.random() < 0.3:
                builder = add(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION]), False)
        # pyHanko looks for nothing that a certificate does not point to
        if not is_root:
            uri = x509.UniformResourceIdentifier("http://ca.example/a.crl")
            builder = add(x509.CRLDistributionPoints([x509.DistributionPoint([uri], None, None, None)]), False)
            uri = x509.UniformResourceIdentifier("http://ca.example/ocsp")
            builder = add(x509.AuthorityInformationAccess([x509.AccessDescription(AuthorityInformationAccessOID.OCSP, uri)]), False)
        if explicit and not is_root:
            own = POLICY[1] if signer and "policy" in faults else POLICY[0]
            mapped = "mapping" in faults and depth > 0
            if mapped and signer:
                own = chance.choice([POLICY[0], POLICY[2]])
            builder = add(x509.CertificatePolicies([x509.PolicyInformation(own, None)]), False)
            if level == 1 and depth > 0:
                builder = add(x509.PolicyConstraints(0, None), True)
            if mapped and level == depth:
                pair = b"".join(core.ObjectIdentifier(p.dotted_string).dump() for p in (POLICY[0], POLICY[1]))
                value = core.Sequence(contents=core.Sequence(contents=pair).dump()).dump()
                builder = add(x509.UnrecognizedExtension(x509.ObjectIdentifier("2.5.29.33"), value), True)
        if at("critical"):
            builder = add(x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.55555.9"), b"\x05\x00"), True)
        certificate = builder.sign(issuer_key, hash_for(issuer_key))
        nodes.append(Node(certificate, key, subject))
    return nodes


def crl(chance, by, serials, made, until, faults, for_signer, reason=None, forged=False):
    builder = x509.CertificateRevocationListBuilder().issuer_name(by.subject).last_update(made).next_update(until)
    for serial in serials:
        entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(NOW - 20 * DAY)
        if reason:
            entry = entry.add_extension(x509.CRLReason(reason), False)
        builder = builder.add_revoked_certificate(entry.build())
    builder = builder.add_extension(x509.CRLNumber(chance.randrange(1, 1000)), False)
    if chance.random() < 0.5:
        builder = builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(by.key.public_key()), False)
    if for_signer and ("scope" in faults or "user-only" in faults):
        uri = x509.UniformResourceIdentifier("http://ca.example/" + chance.choice(["a.crl", "b.crl"]))
        point = [uri] if "scope" in faults else None
        is_users = point is None or chance.random() < 0.5
        builder = builder.add_extension(x509.IssuingDistributionPoint(point, None, is_users, False, None, False, False), True)
    if for_signer and "delta" in faults:
        builder = builder.add_extension(x509.DeltaCRLIndicator(1), True)
    if for_signer and "unknown-list" in faults:
        builder = builder.add_extension(x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.55555.8"), b"\x05\x00"), True)
    key = ec.generate_private_key(ec.SECP256R1()) if forged else by.key
    return builder.sign(key, hash_for(key)).public_bytes(serialization.Encoding.DER)


def response(chance, node, issuer, faults):
    made, until = NOW - DAY, NOW + 6 * DAY
    if "ocsp-stale" in faults:
        made, until = NOW - 60 * DAY, NOW - 50 * DAY
    revoked = "ocsp-revoked" in faults
    by, certificates = issuer, []
    if "ocsp-stranger" in faults or "ocsp-purpose" in faults or chance.random() < 0.5:
        key = ec.generate_private_key(ec.SECP256R1())
        signer_key = ec.generate_private_key(ec.SECP256R1()) if "ocsp-stranger" in faults else issuer.key
        purposes = [ExtendedKeyUsageOID.CLIENT_AUTH if "ocsp-purpose" in faults else ExtendedKeyUsageOID.OCSP_SIGNING]
        builder = x509.CertificateBuilder().subject_name(name("Responder")).issuer_name(issuer.subject).public_key(key.public_key())
        builder = builder.serial_number(chance.randrange(1, 1 << 60)).not_valid_before(NOW - 90 * DAY).not_valid_after(NOW + 90 * DAY)
        builder = builder.add_extension(x509.ExtendedKeyUsage(purposes), False).add_extension(usage("digital_signature"), True)
        builder = builder.add_extension(x509.OCSPNoCheck(), False)
        by = Node(builder.sign(signer_key, hash_for(signer_key)), key, name("Responder"))
        certificates = [by.certificate]
    builder = ocsp.OCSPResponseBuilder().add_response(
        cert=node.certificate, issuer=issuer.certificate, algorithm=chance.choice([hashes.SHA1(), hashes.SHA256()]),
        cert_status=ocsp.OCSPCertStatus.REVOKED if revoked else ocsp.OCSPCertStatus.GOOD, this_update=made, next_update=until,
        revocation_time=NOW - 20 * DAY if revoked else None,
        revocation_reason=x509.ReasonFlags.key_compromise if revoked and chance.random() < 0.5 else None,
    ).responder_id(chance.choice([ocsp.OCSPResponderEncoding.HASH, ocsp.OCSPResponderEncoding.NAME]), by.certificate)
    if certificates:
        builder = builder.certificates(certificates)
    return builder.sign(by.key, hash_for(by.key)).public_bytes(serialization.Encoding.DER)


def statements(chance, nodes, faults):
    """Lists and responses for all certificates below the anchor, or for none."""
    about = {"revoked", "revoked-ca", "revoked-reason", "stale", "forged-list", "scope", "user-only", "delta", "no-list", "unknown-list", "late", "garbage"}
    by_response = {"ocsp-revoked", "ocsp-stranger", "ocsp-stale", "ocsp-purpose"}
    if not faults & (about | by_response) and chance.random() < 0.4:
        return [], []
    lists, responses = [], []
    for level in range(1, len(nodes)):
        node, issuer, is_signer = nodes[level], nodes[level - 1], level == len(nodes) - 1
        if is_signer and (faults & by_response or not faults & about and chance.random() < 0.4):
            responses.append(response(chance, node, issuer, faults))
            continue
        if is_signer and "no-list" in faults:
            continue
        serials = [chance.randrange(1, 1 << 60) for _ in range(chance.randrange(3))]
        reason = chance.choice([None, x509.ReasonFlags.superseded])
        if is_signer and faults & {"revoked", "revoked-reason"} or not is_signer and "revoked-ca" in faults:
            serials.append(node.certificate.serial_number)
            reason = x509.ReasonFlags.key_compromise if "revoked-reason" in faults else None
        made, until = NOW - 2 * DAY, NOW + 20 * DAY
        if is_signer and "stale" in faults:
            made, until = NOW - 60 * DAY, NOW - 30 * DAY
        if is_signer and "late" in faults:
            made, until = NOW + 100 * DAY, NOW + 130 * DAY
        lists.append(crl(chance, issuer, serials, made, until, faults, is_signer, reason, is_signer and "forged-list" in faults))
    if "garbage" in faults and lists:
        at = chance.randrange(len(lists))
        lists[at] = lists[at][: len(lists[at]) // 2] if chance.random() < 0.5 else b"0\x03\x02\x01\x05"
    return lists, responses


def sign(nodes, lists, responses, chance):
    signer_node, others = nodes[-1], nodes[1:-1]
    parsed = [asn1_x509.Certificate.load(node.der) for node in nodes]
    store = SimpleCertificateStore()
    store.register_multiple(parsed[1:-1])
    pkcs8 = signer_node.key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    signer = signers.SimpleSigner(parsed[-1], keys.PrivateKeyInfo.load(pkcs8), store)
    metadata = signers.PdfSignatureMetadata(field_name="Signature", md_algorithm="sha512" if isinstance(signer_node.key, ed25519.Ed25519PrivateKey) else "sha256")
    out = signers.PdfSigner(metadata, signer).sign_pdf(IncrementalPdfFileWriter(io.BytesIO(BASE)), bytes_reserved=20_000)
    if lists or responses:
        writer = IncrementalPdfFileWriter(out)
        array = lambda all_: generic.ArrayObject([writer.add_object(generic.StreamObject(stream_data=der)) for der in all_])
        store = generic.DictionaryObject({
            generic.NameObject("/CRLs"): array(lists), generic.NameObject("/OCSPs"): array(responses),
            generic.NameObject("/Certs"): array([node.der for node in nodes]),
        })
        writer.root[generic.NameObject("/DSS")] = writer.add_object(store)
        writer.update_root()
        out = io.BytesIO()
        writer.write(out)
    return out.getvalue()


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for number in range(COUNT):
        chance = random.Random(SEED * 1_000_003 + number)
        faults = set(chance.sample(FAULTS, chance.choice([0, 0, 1, 1, 1, 2])))
        nodes = chain(chance, faults)
        lists, responses = statements(chance, nodes, faults)
        file = FOLDER / f"{number}.pdf"
        shown = nodes
        if "missing" in faults and len(nodes) > 2:
            shown = nodes[:1] + nodes[2:]
        file.write_bytes(sign(shown, lists, responses, chance))
        anchor = nodes[0].certificate
        if "other-anchor" in faults:
            anchor = chain(chance, set())[0].certificate
        pem = anchor.public_bytes(serialization.Encoding.PEM)
        file.with_suffix(".pem").write_bytes(pem)
        text = lambda der: base64.b64encode(der).decode()
        file.with_suffix(".json").write_text(json.dumps({
            "faults": sorted(faults), "at": NOW.isoformat(), "signer": text(nodes[-1].der),
            "between": [text(node.der) for node in shown[1:-1]], "lists": [text(der) for der in lists],
            "responses": [text(der) for der in responses],
        }))


if __name__ == "__main__":
    main()
