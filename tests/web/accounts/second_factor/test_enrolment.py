"""The second factor at rest and in use: encrypted, taken once, limited, recoverable."""

from __future__ import annotations

import pytest

from gistmark.errors import UsageError
from gistmark.web.accounts.models import AuditEntry, Device, RecoveryCode, SecondFactor
from gistmark.web.accounts.sign_in.attempts import PAIR_LIMIT, TooManyAttemptsError
from gistmark.web.accounts.sign_in.second_factor import enrolment
from gistmark.web.accounts.sign_in.second_factor.enrolment import WrongCodeError, check_code
from gistmark.web.config.storage.encryption import decrypt, rotate
from gistmark.web.config.storage.folder import new_encryption_key
from web.accounts.second_factor.factors import app_code, switch_on, wrong_code

pytestmark = pytest.mark.django_db


def verbs() -> list[str]:
    return list(AuditEntry.objects.order_by("id").values_list("verb", flat=True))


def test_it_counts_once_the_app_has_shown_a_code(manager):
    enrolment.begin(manager)
    assert not enrolment.has_second_factor(manager)
    with pytest.raises(WrongCodeError):
        enrolment.confirm(manager, wrong_code(manager))
    assert not enrolment.has_second_factor(manager)
    assert len(set(enrolment.confirm(manager, app_code(manager)))) == enrolment.RECOVERY_CODES
    assert enrolment.has_second_factor(manager)
    assert enrolment.enrolment(manager) is None
    assert verbs()[-1] == "second-factor-on"


def test_neither_the_key_nor_a_recovery_code_stands_in_the_database(manager):
    enrolment.begin(manager)
    letters = enrolment.enrolment(manager).letters.replace("-", "")
    stored = SecondFactor.objects.get().secret
    assert letters not in stored
    assert decrypt(stored) == letters
    codes = enrolment.confirm(manager, app_code(manager))
    hashes = set(RecoveryCode.objects.values_list("hash", flat=True))
    assert not hashes & {form for code in codes for form in (code, code.replace("-", ""))}


def test_the_code_that_switched_it_on_and_any_other_is_taken_once(manager):
    enrolment.begin(manager)
    first = app_code(manager)
    enrolment.confirm(manager, first)
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
    assert manager.recovery_codes.count() == enrolment.RECOVERY_CODES - 1
    entry = AuditEntry.objects.get(verb="recovery-code-used")
    assert entry.about == {"left": enrolment.RECOVERY_CODES - 1}


def test_recovery_codes_are_each_persons_own(manager, admin):
    codes = switch_on(manager)
    switch_on(admin)
    with pytest.raises(WrongCodeError):
        check_code(admin, codes[0])


def test_new_recovery_codes_replace_the_earlier(manager):
    earlier = switch_on(manager)
    later = enrolment.new_recovery_codes(manager)
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
        enrolment.begin(manager)
    assert SecondFactor.objects.get().secret == before


def test_an_admin_resets_it_and_all_sessions_end(manager, admin):
    codes = switch_on(manager)
    Device.objects.create(user=manager, session="x")
    assert enrolment.switch_off(manager, by=admin)
    assert not enrolment.switch_off(manager, by=admin)
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
