"""The platform's audit trail: log-ins, roles, accounts, resets, tokens and invitations.

What happens inside a campaign is in the campaign's own trail. Entries are only ever added; the
database itself refuses to change or delete one. The one exception is `redacting`: an erasure takes
a person's name out of entries, and leaves what happened and when.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from gistmark.web.accounts.models import AuditEntry, Redaction, User

VERBS = {
    "account-created": "account made",
    "account-closed": "account closed",
    "account-opened": "account opened again",
    "account-removed": "account removed",
    "account-renamed": "account renamed",
    "account-erased": "person erased",
    "data-exported": "personal data exported",
    "role-changed": "role changed",
    "logged-in": "logged in",
    "log-in-refused": "log-in refused after too many attempts",
    "password-changed": "password changed",
    "password-reset": "password set by a link",
    "password-link-made": "link for a new password created",
    "second-factor-on": "second factor switched on",
    "second-factor-off": "second factor switched off",
    "second-factor-reset": "second factor reset",
    "recovery-codes-made": "new recovery codes made",
    "recovery-code-used": "recovery code used",
    "address-confirmed": "e-mail address confirmed",
    "provider-connected": "provider connected",
    "provider-disconnected": "provider disconnected",
    "sessions-ended": "logged out elsewhere",
    "token-made": "token made",
    "token-revoked": "token revoked",
    "invitation-made": "invitation made",
    "invitation-withdrawn": "invitation withdrawn",
    "invitation-used": "invitation used",
    "market-connected": "token of a crowd market stored",
    "market-disconnected": "token of a crowd market removed",
}
"""What is noted, as managers read it."""
_LONGEST = 150


def note(verb: str, *, by: User | None, name: str = "", **about: Any) -> AuditEntry:
    """Add an entry about the account of this name; `by` is None for the command line."""
    assert verb in VERBS, verb
    return AuditEntry.objects.create(
        verb=verb,
        by="" if by is None else by.username,
        name=name.replace("\0", "")[:_LONGEST],
        about=about,
    )


@contextmanager
def redacting() -> Iterator[None]:
    """Let names be taken out of entries until the block ends, in a transaction of its own."""
    with transaction.atomic():
        permit = Redaction.objects.create()
        yield
        permit.delete()


def note_refusal(user: User) -> None:
    """Note that log-ins as somebody are refused, once an hour however often that is tried."""
    recent = timezone.now() - timedelta(hours=1)
    same = AuditEntry.objects.filter(verb="log-in-refused", name=user.username, at__gt=recent)
    if not same.exists():
        note("log-in-refused", by=None, name=user.username)
