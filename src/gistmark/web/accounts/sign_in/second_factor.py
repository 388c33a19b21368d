"""A second factor beside the password: codes of an authenticator app, for managers and admins.

The secret is stored encrypted, recovery codes as hashes. Each code is taken once: the step of the
last one is kept, and a recovery code is deleted as it is used. Tries are counted for the account
from everywhere, since whoever is asked for a code knows the password already; a browser in which
the person has logged in before is counted by itself.

GISTMARK_SECOND_FACTOR=required asks managers and admins for it. Whoever has none then gets
GISTMARK_SECOND_FACTOR_GRACE days, counted from the first page that they open; after that every page
leads to the one where it is set up. Tokens of the API go on working, and none is made without it.

Codes change every thirty seconds: RFC 6238 (TOTP) over RFC 4226 (HOTP), with what all apps
understand, HMAC-SHA1 and six digits. A code counts for its own thirty seconds and for those before
and after: clocks differ.
"""

from __future__ import annotations

import hmac
import secrets
import time
from base64 import b32decode, b32encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import quote, urlencode

import segno
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import RecoveryCode, SecondFactor, User, digest
from gistmark.web.accounts.sign_in.attempts import count_attempt, forget_failures
from gistmark.web.accounts.sign_in.devices import end_all_sessions, means_of
from gistmark.web.config.codes import grouped, plain
from gistmark.web.config.errors import refuse, wants_json
from gistmark.web.config.storage.encryption import DecryptionError, decrypt, encrypt

RECOVERY_CODES = 10
_RECOVERY_BYTES = 10
_ISSUER = "Gistmark"
_ALWAYS_OPEN = ("second-factor", "second-factor-begin", "second-factor-confirm", "log-out")
_NEEDED = "Managers and admins need a second factor here; set it up under Account first."
PERIOD = 30
DIGITS = 6
_DRIFT = 1
_SECRET_BYTES = 20


class WrongCodeError(UsageError):
    """The code is not right, or it was used before."""

    def __init__(self) -> None:
        super().__init__(
            "This code is not right, or it was used before. Wait for the next one in your app, or "
            "use one of your recovery codes."
        )


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What somebody puts into an authenticator app: a picture, or the letters in groups of four."""

    picture: str
    letters: str


def has_second_factor(user: User) -> bool:
    """Whether a code is asked for when this person logs in."""
    return SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).exists()


def begin(user: User) -> None:
    """Draw a secret for somebody; it counts once they have shown that their app knows it."""
    with transaction.atomic():
        _refuse_second(user)
        secret = encrypt(generate_secret())
        SecondFactor.objects.update_or_create(user=user, defaults={"secret": secret})


def enrolment(user: User) -> Enrolment | None:
    """What to put into the app, while the setting-up is not finished; never afterwards."""
    waiting = SecondFactor.objects.filter(user=user, confirmed_at=None).first()
    if waiting is None:
        return None
    try:
        secret = decrypt(waiting.secret)
    except DecryptionError:
        return None
    address = enrolment_address(secret, user.username, _ISSUER)
    picture = segno.make(address, error="m", micro=False).svg_inline(
        scale=5, border=4, light="#fff", dark="#000", omitsize=False
    )
    return Enrolment(picture, grouped(secret))


def confirm(user: User, code: str, *, keep: str | None = None) -> list[str]:
    """Switch the second factor on with a first code; returns the recovery codes, this once.

    Sessions of other browsers, which never showed a code, end; `keep` is the key of this one.
    """
    if enrolment(user) is None:
        raise UsageError("Begin by making a key for your app.")
    attempt = count_attempt(_name(user), None)
    with transaction.atomic():
        factor = SecondFactor.objects.select_for_update().get(user=user)
        step = matching_step(decrypt(factor.secret), _digits(code), time.time())
        if step is None:
            raise WrongCodeError
        factor.confirmed_at, factor.last_step = timezone.now(), step
        factor.save(update_fields=["confirmed_at", "last_step"])
        attempt.delete()
        end_all_sessions(user, by=user, but=keep)
        note("second-factor-on", by=user, name=user.username)
        return _draw_recovery_codes(user)


def check_code(user: User, code: str, *, device: str | None = None) -> None:
    """Take a code of the app or a recovery code, or raise an error; each is taken once."""
    attempt = count_attempt(_name(user), None, device=device)
    if not (_take_code(user, code) or _take_recovery_code(user, code)):
        raise WrongCodeError
    attempt.delete()
    forget_failures(_name(user), device=device)


def new_recovery_codes(user: User) -> list[str]:
    """Recovery codes that replace all earlier ones, shown this once."""
    with transaction.atomic():
        note("recovery-codes-made", by=user, name=user.username)
        return _draw_recovery_codes(user)


def switch_off(user: User, *, by: User | None) -> bool:
    """Forget the second factor of somebody; tells whether there was one.

    If somebody else does so, for a person whose phone is lost, all sessions of the person end.
    """
    with transaction.atomic():
        gone, _ = SecondFactor.objects.filter(user=user).delete()
        user.recovery_codes.all().delete()
        User.objects.filter(pk=user.pk).update(second_factor_due=None)
        if not gone:
            return False
        if by != user:
            end_all_sessions(user, by=by)
        note(
            "second-factor-off" if by == user else "second-factor-reset", by=by, name=user.username
        )
    return True


def _refuse_second(user: User) -> None:
    if SecondFactor.objects.select_for_update().filter(user=user).exclude(confirmed_at=None):
        raise UsageError(
            "You have a second factor already; switch it off before you set up another."
        )


def _take_code(user: User, code: str) -> bool:
    """Whether this is a code of the app that was not used yet; of two tries at once one wins."""
    factor = SecondFactor.objects.filter(user=user, confirmed_at__isnull=False).first()
    try:
        step = matching_step(decrypt(factor.secret), _digits(code), time.time()) if factor else None
    except DecryptionError:
        return False
    if step is None:
        return False
    unused = SecondFactor.objects.filter(user=user, last_step__lt=step)
    return unused.update(last_step=step) == 1


def _take_recovery_code(user: User, code: str) -> bool:
    with transaction.atomic():
        gone, _ = user.recovery_codes.filter(hash=_hash(user, code)).delete()
        if gone:
            note(
                "recovery-code-used", by=user, name=user.username, left=user.recovery_codes.count()
            )
    return gone > 0


def _draw_recovery_codes(user: User) -> list[str]:
    codes = [
        grouped(b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode("ascii"))
        for _ in range(RECOVERY_CODES)
    ]
    user.recovery_codes.all().delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, hash=_hash(user, each)) for each in codes
    )
    return codes


def _hash(user: User, code: str) -> str:
    """What is stored of a recovery code: 80 random bits need no slow hash."""
    return digest(f"{user.pk}:{plain(code)}")


def _digits(code: str) -> str:
    """A code however it was typed; what is no ASCII digit is left out."""
    return "".join(each for each in code if each in "0123456789")


def _name(user: User) -> str:
    """What tries of codes are counted under; no name has brackets."""
    return f"(code {user.pk})"


def is_required_of(user: User) -> bool:
    """Whether this person has to have a second factor, today or in a few days."""
    return bool(settings.SECOND_FACTOR_REQUIRED) and user.may_manage


def lacks_second_factor(user: User, means: str = "password") -> bool:
    """Whether this person, who logged in by these means, has to set one up."""
    return is_required_of(user) and not is_with_provider(means) and not has_second_factor(user)


def is_with_provider(means: str) -> bool:
    """Whether the provider has asked for a second factor, so that the platform need not."""
    return means == "provider" and settings.OIDC is not None and settings.OIDC.has_second_factor


def is_due(user: User) -> bool:
    """Whether it can no longer be put off; the days begin to count here."""
    if user.second_factor_due is None:
        user.second_factor_due = timezone.now() + timedelta(days=settings.SECOND_FACTOR_GRACE)
        user.save(update_fields=["second_factor_due"])
    return user.second_factor_due <= timezone.now()


class SecondFactorFirst:
    """Leads managers and admins to the second factor that they have put off for too long."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        user, match = request.user, request.resolver_match
        if not isinstance(user, User) or not lacks_second_factor(user, means_of(request)):
            return None
        if match is not None and match.url_name in _ALWAYS_OPEN:
            return None
        if not is_due(user):
            return None
        if wants_json(request) or request.path.startswith("/api/"):
            return refuse(request, 403, _NEEDED)
        return redirect("second-factor")


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
