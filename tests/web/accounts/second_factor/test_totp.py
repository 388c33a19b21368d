"""Codes of authenticator apps, by the examples of the RFCs."""

from __future__ import annotations

from base64 import b32encode
from urllib.parse import parse_qs, urlsplit

import pytest

from gistmark.web.accounts.sign_in.second_factor.totp import (
    PERIOD,
    code_at,
    enrolment_address,
    generate_secret,
    matching_step,
)

SECRET = b32encode(b"12345678901234567890").decode()

# RFC 6238, appendix B: seconds of the Unix clock and the code of eight digits, with SHA-1.
TIMES = [
    (59, "94287082"),
    (1111111109, "07081804"),
    (1111111111, "14050471"),
    (1234567890, "89005924"),
    (2000000000, "69279037"),
    (20000000000, "65353130"),
]
# RFC 4226, appendix D: the codes of six digits of the counters from 0.
COUNTERS = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583"]


@pytest.mark.parametrize(("seconds", "code"), TIMES)
def test_the_codes_of_rfc_6238(seconds: int, code: str):
    assert code_at(SECRET, seconds // PERIOD, digits=8) == code


def test_the_codes_of_rfc_4226():
    assert [code_at(SECRET, step) for step in range(len(COUNTERS))] == COUNTERS


@pytest.mark.parametrize(("drift", "step"), [(-2, None), (-1, 9), (0, 10), (1, 11), (2, None)])
def test_a_code_counts_half_a_minute_before_and_after_its_own(drift: int, step: int | None):
    assert matching_step(SECRET, code_at(SECRET, 10 + drift), now=10 * PERIOD + 7.5) == step


@pytest.mark.parametrize("code", ["", "0", "28708", "2870822", "287082 "])
def test_other_texts_are_no_codes(code: str):
    assert matching_step(SECRET, code, now=PERIOD) is None


def test_secrets_differ_and_have_160_bits():
    assert len({generate_secret() for _ in range(50)}) == 50
    assert len(generate_secret()) == 160 / 5


def test_the_address_names_account_and_issuer_whatever_the_name():
    address = urlsplit(enrolment_address(SECRET, "ada@x+y", "Gistmark"))
    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert address.path == "/Gistmark%3Aada%40x%2By"
    assert parse_qs(address.query)["secret"] == [SECRET]
