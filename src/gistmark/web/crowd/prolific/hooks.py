"""Events that Prolific sends: subscribing to them, telling real ones from others, applying them,
and where they arrive.

The signature is base64 of HMAC-SHA256 over the timestamp and the body as they came. Delivery is at
least once and in any order: an event counts once, by its id, and an old one is refused.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from urllib.parse import urlsplit

from django.core.exceptions import RequestDataTooBig
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.accounts.models import User
from gistmark.web.config.errors import NotAllowedError, NotFoundError, status_of
from gistmark.web.config.storage.encryption import DecryptionError, decrypt, encrypt
from gistmark.web.crowd.models import MarketAccount, MarketEvent, MarketSecrets, Recruitment, Visit
from gistmark.web.crowd.prolific.accounts import MARKET, market_of
from gistmark.web.crowd.prolific.statuses import Told, apply_told
from gistmark.web.crowd.prolific.studies import told as study_told
from gistmark.web.crowd.recruitments import is_id

SUBMISSION, STUDY = "submission.status.change", "study.status.change"
LARGEST = 64 * 1024
TOLERANCE = 300
"""So many seconds an event may be old, or ahead of our clock."""
_REMEMBERED = timedelta(days=30)
Received = Literal["taken", "seen", "ignored"]


def subscribe(account: MarketAccount, address: str, by: User | None) -> MarketAccount:
    """Have Prolific send its events to an address of ours, which the world must reach by https."""
    parts = urlsplit(address)
    if parts.scheme != "https":
        raise UsageError(
            f"Prolific sends events to https addresses only, not to {address}. "
            "Compare with Prolific now and then instead."
        )
    if by is not None and by.pk != account.owner_id:
        raise NotAllowedError("Only the owner of the token can turn events on.")
    market = market_of(account)
    secret = market.hook_secret(account.workspace)
    MarketSecrets.objects.filter(account=account).update(hook_secret=encrypt(secret))
    known = {
        (each.event_type, each.address): each.id for each in market.subscriptions(account.workspace)
    }
    hooks = []
    for kind in (SUBMISSION, STUDY):
        if (kind, address) not in known:
            made = market.subscribe(account.workspace, kind, address)
            market.confirm(made)
            known[kind, address] = made.id
        hooks.append(known[kind, address])
    account.hooks = hooks
    account.save(update_fields=["hooks"])
    return account


def receive(account: MarketAccount, headers: Mapping[str, str], body: bytes) -> Received:
    """Take an event in; one that is not Prolific's, or not of now, is refused."""
    stamp = _checked_stamp(headers.get("X-Prolific-Request-Timestamp", ""))
    if not is_signed(account, stamp, headers.get("X-Prolific-Request-Signature", ""), body):
        raise NotAllowedError("The signature of this event is wrong.")
    event, about = headers.get("X-Event-ID", ""), _read(body)
    if not is_id(event):
        raise UsageError("The event has no id in X-Event-ID.")
    with transaction.atomic():
        if _has_seen(account, event):
            return "seen"
        applied = _apply(account, about, datetime.fromtimestamp(int(stamp), UTC))
    return "taken" if applied else "ignored"


def is_signed(account: MarketAccount, stamp: str, signature: str, body: bytes) -> bool:
    """Whether an event comes from who knows the secret; it takes as long whatever is wrong."""
    stored = MarketSecrets.objects.filter(account=account).first()
    try:
        secret = decrypt(stored.hook_secret) if stored and stored.hook_secret else ""
    except DecryptionError:
        secret = ""
    mac = hmac.new(secret.encode(), stamp.encode() + body, hashlib.sha256).digest()
    given = signature.encode("utf-8", "replace")
    return hmac.compare_digest(base64.b64encode(mac), given) and bool(secret)


def forget_old_events() -> int:
    """Delete the ids of events that are too old to come again."""
    deleted, _ = MarketEvent.objects.filter(received_at__lt=timezone.now() - _REMEMBERED).delete()
    return deleted


def _checked_stamp(stamp: str) -> str:
    """The time of an event, in seconds, if it is about now."""
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 12):
        raise UsageError("The event has no time in X-Prolific-Request-Timestamp.")
    if abs(time.time() - int(stamp)) > TOLERANCE:
        raise UsageError(f"The event is more than {TOLERANCE // 60} minutes away from now.")
    return stamp


def _read(body: bytes) -> dict[str, Any]:
    try:
        about = json.loads(body)
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict):
        raise UsageError("The event is not a JSON object.")
    return about


def _has_seen(account: MarketAccount, event: str) -> bool:
    """Note the id of an event; whether it had been noted before."""
    try:
        with transaction.atomic():
            MarketEvent.objects.create(account=account, event=event)
    except IntegrityError:
        return True
    return False


def _apply(account: MarketAccount, about: dict[str, Any], at: datetime) -> bool:
    """Do what an event says; what is about nothing of ours is ignored."""
    kind, resource, status = (about.get(name) for name in ("event_type", "resource_id", "status"))
    if not (isinstance(resource, str) and isinstance(status, str) and is_id(resource)):
        return False
    studies = Recruitment.objects.filter(account=account).select_related("campaign")
    if kind == STUDY:
        recruitment = studies.filter(study=resource).first()
        if recruitment is not None:
            study_told(recruitment, status, None)
        return recruitment is not None
    pid = about.get("participant_id")
    if kind != SUBMISSION or not isinstance(pid, str):
        return False
    recruitment = _recruitment_of(account, resource, about.get("study_id"))
    if recruitment is None:
        return False
    return apply_told(recruitment, Told(resource, pid, status, at)) in ("applied", "unchanged")


def _recruitment_of(account: MarketAccount, session: str, study: object) -> Recruitment | None:
    """The study that a submission belongs to.

    Events need not say it. Where the session is not known here either, the next poll finds it.
    """
    studies = Recruitment.objects.filter(account=account).select_related("campaign")
    if isinstance(study, str):
        return studies.filter(study=study).first()
    visit = Visit.objects.filter(recruitment__account=account, session=session).first()
    return None if visit is None else studies.get(pk=visit.recruitment_id)


@csrf_exempt
@never_cache
@require_POST
def hook(request: HttpRequest, key: str) -> HttpResponse:
    """Take an event in. Whoever cannot sign it learns only that it was refused."""
    try:
        if _length(request) > LARGEST:
            return _refused("The event is too large.", 413)
        account = None
        if "\0" not in key:
            account = MarketAccount.objects.filter(key=key, market=MARKET).first()
        if account is None:
            raise NotFoundError("Nobody expects events here.")
        received = receive(account, request.headers, request.body)
    except RequestDataTooBig:
        return _refused("The event is too large.", 413)
    except GistmarkError as error:
        return _refused(str(error), status_of(error))
    return JsonResponse({"received": received})


def _length(request: HttpRequest) -> int:
    given = request.headers.get("Content-Length", "")
    return int(given) if given.isascii() and given.isdigit() else 0


def _refused(sentence: str, status: int) -> JsonResponse:
    return JsonResponse({"detail": sentence}, status=status)
