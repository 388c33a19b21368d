"""Codes that change every thirty seconds, as authenticator apps show them.

RFC 6238 (TOTP) over RFC 4226 (HOTP), with what all apps understand: HMAC-SHA1, six digits, thirty
seconds. A code counts for its own thirty seconds and for those before and after: clocks differ.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b32decode, b32encode
from urllib.parse import quote, urlencode

PERIOD = 30
DIGITS = 6
_DRIFT = 1
_SECRET_BYTES = 20


def generate_secret() -> str:
    """A secret of 160 bits, in the letters that people can type into an app."""
    return b32encode(secrets.token_bytes(_SECRET_BYTES)).decode("ascii")


def code_at(secret: str, step: int, *, digits: int = DIGITS) -> str:
    """The code of a step; step n lasts from second 30n to second 30n + 30 of the Unix clock."""
    digest = hmac.digest(b32decode(secret), step.to_bytes(8), "sha1")
    start = digest[-1] & 0x0F
    number = int.from_bytes(digest[start : start + 4]) & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def matching_step(secret: str, code: str, now: float) -> int | None:
    """The step whose code this is, near the present one; None where the code is wrong."""
    present = int(now // PERIOD)
    steps = range(present - _DRIFT, present + _DRIFT + 1)
    matches = [step for step in steps if hmac.compare_digest(code_at(secret, step), code)]
    return matches[-1] if matches else None


def enrolment_address(secret: str, name: str, issuer: str) -> str:
    """What the QR code says: whose account it is, where, and the secret."""
    query = {"secret": secret, "issuer": issuer, "digits": DIGITS, "period": PERIOD}
    label = quote(f"{issuer}:{name}", safe="")
    return f"otpauth://totp/{label}?{urlencode(query, quote_via=quote)}"
