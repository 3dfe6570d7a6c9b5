"""Certificates for stand-ins that serve HTTPS."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


class Certificate(NamedTuple):
    """A certificate of a host with its key, in one file, and the authority that signed it."""

    authority: Path
    own: Path


def make_certificate(host: str, folder: Path) -> Certificate:
    """Write a certificate for a host, and its authority, into a folder."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of tests")])
    signer, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    blank = (
        x509.CertificateBuilder()
        .issuer_name(name)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
    )
    authority = (
        blank.subject_name(name)
        .public_key(signer.public_key())
        .serial_number(1)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(signer, SHA256())
    )
    own = (
        blank.subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)]))
        .public_key(key.public_key())
        .serial_number(2)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(signer, SHA256())
    )
    certificate = Certificate(folder / "authority.pem", folder / "own.pem")
    certificate.authority.write_bytes(authority.public_bytes(Encoding.PEM))
    pem_key = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    certificate.own.write_bytes(own.public_bytes(Encoding.PEM) + pem_key)
    return certificate
