"""The second factor at rest and in use: encrypted, taken once, limited, recoverable.

Codes of authenticator apps are those of the examples of the RFCs.
"""

from __future__ import annotations

from base64 import b32encode
from urllib.parse import parse_qs, urlsplit

import pytest

from gistmark.errors import UsageError
from gistmark.web.accounts.models import AuditEntry, Device, RecoveryCode, SecondFactor
from gistmark.web.accounts.sign_in import second_factor
from gistmark.web.accounts.sign_in.attempts import PAIR_LIMIT, TooManyAttemptsError
from gistmark.web.accounts.sign_in.second_factor import (
    PERIOD,
    WrongCodeError,
    check_code,
    code_at,
    enrolment_address,
    generate_secret,
    matching_step,
)
from gistmark.web.config.storage.encryption import decrypt, rotate
from gistmark.web.config.storage.folder import new_encryption_key
from web.accounts.factors import app_code, switch_on, wrong_code

pytestmark = pytest.mark.django_db
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


def verbs() -> list[str]:
    return list(AuditEntry.objects.order_by("id").values_list("verb", flat=True))


def test_it_counts_once_the_app_has_shown_a_code(manager):
    second_factor.begin(manager)
    assert not second_factor.has_second_factor(manager)
    with pytest.raises(WrongCodeError):
        second_factor.confirm(manager, wrong_code(manager))
    assert not second_factor.has_second_factor(manager)
    assert (
        len(set(second_factor.confirm(manager, app_code(manager)))) == second_factor.RECOVERY_CODES
    )
    assert second_factor.has_second_factor(manager)
    assert second_factor.enrolment(manager) is None
    assert verbs()[-1] == "second-factor-on"


def test_neither_the_key_nor_a_recovery_code_stands_in_the_database(manager):
    second_factor.begin(manager)
    letters = second_factor.enrolment(manager).letters.replace("-", "")
    stored = SecondFactor.objects.get().secret
    assert letters not in stored
    assert decrypt(stored) == letters
    codes = second_factor.confirm(manager, app_code(manager))
    hashes = set(RecoveryCode.objects.values_list("hash", flat=True))
    assert not hashes & {form for code in codes for form in (code, code.replace("-", ""))}


def test_the_code_that_switched_it_on_and_any_other_is_taken_once(manager):
    second_factor.begin(manager)
    first = app_code(manager)
    second_factor.confirm(manager, first)
    later = app_code(manager, ahead=1)
    check_code(manager, f" {later[:3]} {later[3:]}")
    for used in (first, later):
        with pytest.raises(WrongCodeError):
            check_code(manager, used)


def test_a_recovery_code_opens_once_however_it_is_typed(manager):
    codes = switch_on(manager)
    check_code(manager, codes[0].lower().replace("-", " "))
    with pytest.raises(WrongCodeError):
        check_code(manager, codes[0])
    assert manager.recovery_codes.count() == second_factor.RECOVERY_CODES - 1
    entry = AuditEntry.objects.get(verb="recovery-code-used")
    assert entry.about == {"left": second_factor.RECOVERY_CODES - 1}


def test_recovery_codes_are_each_persons_own(manager, admin):
    codes = switch_on(manager)
    switch_on(admin)
    with pytest.raises(WrongCodeError):
        check_code(admin, codes[0])


def test_new_recovery_codes_replace_the_earlier(manager):
    earlier = switch_on(manager)
    later = second_factor.new_recovery_codes(manager)
    with pytest.raises(WrongCodeError):
        check_code(manager, earlier[0])
    check_code(manager, later[0])


def test_guessing_ends_after_a_few_tries_except_in_a_browser_of_ones_own(manager):
    switch_on(manager)
    for _ in range(PAIR_LIMIT):
        with pytest.raises(WrongCodeError):
            check_code(manager, wrong_code(manager))
    with pytest.raises(TooManyAttemptsError):
        check_code(manager, app_code(manager))
    check_code(manager, app_code(manager), device="known")


def test_a_second_one_is_not_begun_while_there_is_one(manager):
    switch_on(manager)
    before = SecondFactor.objects.get().secret
    with pytest.raises(UsageError, match="switch it off"):
        second_factor.begin(manager)
    assert SecondFactor.objects.get().secret == before


def test_an_admin_resets_it_and_all_sessions_end(manager, admin):
    codes = switch_on(manager)
    Device.objects.create(user=manager, session="x")
    assert second_factor.switch_off(manager, by=admin)
    assert not second_factor.switch_off(manager, by=admin)
    assert not Device.objects.exists()
    assert not RecoveryCode.objects.exists()
    with pytest.raises(WrongCodeError):
        check_code(manager, codes[0])
    assert verbs()[-2:] == ["sessions-ended", "second-factor-reset"]


def test_without_the_key_codes_of_the_app_are_wrong_but_recovery_codes_work(manager, settings):
    code, recovery = None, switch_on(manager)
    code = app_code(manager)
    settings.ENCRYPTION_KEYS = [new_encryption_key()]
    with pytest.raises(WrongCodeError):
        check_code(manager, code)
    check_code(manager, recovery[0])


def test_after_a_change_of_keys_the_earlier_key_is_not_needed(manager, admin, settings):
    switch_on(manager)
    switch_on(admin)
    later = new_encryption_key()
    settings.ENCRYPTION_KEYS = [later, *settings.ENCRYPTION_KEYS]
    assert rotate() == 2
    settings.ENCRYPTION_KEYS = [later]
    check_code(manager, app_code(manager))


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
