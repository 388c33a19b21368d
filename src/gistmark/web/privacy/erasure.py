"""Erasing a person: what goes, what stays under a pseudonym, and what stands in the way.

Judgements stay, under a new random name; no record is kept of whose they were. The account is
closed first, so that nobody goes on working under it, and everything else happens in one
transaction. An erasure that was interrupted is finished by running it again.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import User
from gistmark.web.accounts.names import name_key
from gistmark.web.accounts.people import is_taken, keep_an_admin
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.leases import release_of
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import transfer_campaign
from gistmark.web.config.storage.transactions import retried
from gistmark.web.crowd.models import Visit
from gistmark.web.privacy import traces
from gistmark.web.privacy.catalogue import PERSONAL, Personal
from gistmark.web.privacy.traces import Words

_JOINED = datetime(1970, 1, 1, tzinfo=UTC)
"""When all accounts without a person were made, so that the day tells nothing."""
_WORK = ("submissions", "practice-answers", "decisions-made", "adjudications")
"""What is counted as work that stays."""


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """What erasing somebody would do: counts of rows by kind, and what is in the way."""

    name: str
    deleted: Mapping[str, int]
    kept: Mapping[str, int]
    redacted: Mapping[str, int]
    released: int
    campaigns: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The plan in words."""
        sentences = [
            f"The account {self.name!r} and everything that identifies its person are deleted."
        ]
        if self.deleted:
            sentences.append(f"Deleted: {_listed(self.deleted)}.")
        if self.kept:
            sentences.append(f"Kept under a random name: {_listed(self.kept)}.")
        if self.redacted:
            sentences.append(f"The name is removed from: {_listed(self.redacted)}.")
        if self.campaigns:
            names = ", ".join(map(repr, self.campaigns))
            sentences.append(f"Campaigns that first have to get another owner: {names}.")
        if self.released:
            sentences.append(f"Tasks released for others: {self.released}.")
        return tuple(sentences)


@dataclass(frozen=True, slots=True)
class Erased:
    """That somebody was erased; `overwritten` is whether nothing is left in the database's file.

    `pseudonym` is what the work goes by from now on; empty where there was none.
    """

    pseudonym: str
    overwritten: bool


def plan_erasure(user: User) -> ErasurePlan:
    """What would become of somebody's data."""
    words = Words(traces.words_of(user), traces.ERASED)
    deleted = {_label(each): rows_of(each, user).count() for each in _with("deleted")}
    deleted["failed log-ins"] = traces.attempts_of(words).count()
    kept = {_label(each): rows_of(each, user).count() for each in PERSONAL if each.file in _WORK}
    redacted = {
        "entries of the audit trail": sum(1 for _ in traces.audit_entries(words)),
        "notes of others": traces.notes_with(words, user),
    }
    return ErasurePlan(
        user.username,
        deleted=_some(deleted),
        kept=_some(kept),
        redacted=_some(redacted),
        released=_held(user).count(),
        campaigns=tuple(user.campaigns_owned.values_list("name", flat=True)),
        problems=tuple(_problems(user)),
    )


def erase(user: User, *, by: User | None, campaigns_to: User | None = None) -> Erased:
    """Erase a person; campaigns that they own go to somebody else first."""
    problems = _problems(user)
    if problems:
        raise UsageError(" ".join(problems))
    _close(user, by, campaigns_to)
    pseudonym = _erase(user, by)
    traces.forget_files()
    return Erased(pseudonym, overwrite_remnants())


def erase_many(users: Iterable[User], *, by: User | None) -> None:
    """Erase people who own nothing, one after the other; those before stay erased if one fails."""
    try:
        for user in users:
            _close(user, by, None)
            _erase(user, by)
    finally:
        traces.forget_files()
        overwrite_remnants()


def blocked(users: Iterable[User]) -> list[int]:
    """The numbers of those who came from a study on a market that is still open."""
    open_visits = Visit.objects.filter(
        participant__user__in=list(users), recruitment__state__in=["active", "paused"]
    )
    return list(open_visits.values_list("participant__user", flat=True).distinct())


def erase_name(name: str, *, by: User | None) -> int:
    """Take a name that nobody has any more out of trails and notes; returns how many had it."""
    if is_taken(name):
        raise UsageError(f"{name!r} is somebody's name; erase that person.")
    words = Words((name,), traces.ERASED)
    with transaction.atomic():
        count = traces.redact_audit(words) + traces.redact_events(words)
        count += traces.redact_notes(words, None) + traces.redact_corpora(words)
        count += traces.attempts_of(words).delete()[0]
        if count:
            traces.forget_results(words, None)
            note("account-erased", by=by, name=traces.ERASED)
    traces.forget_files()
    overwrite_remnants()
    return count


def rows_of(personal: Personal, user: User) -> QuerySet[Any]:
    """The rows of a kind that belong to somebody."""
    model = apps.get_model(personal.model)
    rows: QuerySet[Any] = model._default_manager.filter(**{personal.person: user.pk})
    return rows


@transaction.atomic
def _close(user: User, by: User | None, campaigns_to: User | None) -> None:
    """Close the account and hand its campaigns over, before anything is erased."""
    keep_an_admin(user)
    owned = list(Campaign.objects.filter(owner=user))
    if owned and campaigns_to is None:
        names = ", ".join(repr(each.name) for each in owned)
        raise UsageError(f"{user.username} owns {names}; first say who takes over.")
    for campaign in owned:
        assert campaigns_to is not None
        transfer_campaign(campaign, campaigns_to, by)
    user.is_active = False
    user.save(update_fields=["is_active"])
    traces.end_sessions(user)


@retried
def _erase(user: User, by: User | None) -> str:
    for campaign in Campaign.objects.filter(pk__in=_held(user).values("campaign")):
        release_of(campaign, [user], None)
    user = User.objects.select_for_update().get(pk=user.pk)
    pseudonym = f"erased-{secrets.token_hex(6)}"
    words = Words(traces.words_of(user), pseudonym)
    for each in _with("deleted"):
        rows_of(each, user).delete()
    traces.attempts_of(words).delete()
    traces.redact_audit(words)
    traces.redact_events(words)
    traces.redact_reports(words)
    traces.redact_notes(words, user)
    traces.redact_corpora(words)
    traces.redact_work(words, user)
    traces.forget_results(words, user)
    _forget_market(user)
    itself = by is not None and by.pk == user.pk
    if any(rows_of(each, user).exists() for each in _with("kept") if each.file != "account"):
        _rename(user, pseudonym)
    else:
        user.delete()
        pseudonym = ""
    note("account-erased", by=None if itself else by, name=traces.ERASED)
    return pseudonym


def _rename(user: User, pseudonym: str) -> None:
    """Leave nothing in an account but the pseudonym that work goes by."""
    user.username, user.key, user.password = pseudonym, name_key(pseudonym), make_password(None)
    user.first_name = user.last_name = user.email = ""
    user.role, user.is_active, user.erased = User.Role.ANNOTATOR, False, True
    user.last_login = user.admin_until = user.second_factor_due = None
    user.date_joined = _JOINED
    user.save()


def _forget_market(user: User) -> None:
    """Replace what a market calls somebody; how often they came still counts."""
    participant = getattr(user, "participant", None)
    if participant is None:
        return
    participant.pid = f"erased-{secrets.token_hex(12)}"
    participant.save(update_fields=["pid"])
    for visit in participant.visits.all():
        visit.session, visit.browser = f"erased-{secrets.token_hex(12)}", ""
        visit.entered_code = ""
        visit.save(update_fields=["session", "browser", "entered_code"])


def _problems(user: User) -> list[str]:
    """Why somebody cannot be erased now."""
    if user.machine:
        return [f"{user.username} is a machine and no person; close its account instead."]
    if user.erased:
        return [f"{user.username} is the pseudonym of somebody who was erased already."]
    if blocked([user]):
        return [
            gettext(
                "%(name)s came from a study on a market that is still open, which would tell their "
                "id again; that study has to end first."
            )
            % {"name": user.username}
        ]
    admins = User.objects.filter(role=User.Role.ADMIN, is_active=True)
    if set(admins.values_list("pk", flat=True)) == {user.pk}:
        return [f"{user.username} is the only admin; make somebody else admin first."]
    return []


def _held(user: User) -> QuerySet[Task]:
    return Task.objects.filter(annotator=user, state=Task.State.HELD)


def _with(erasure: str) -> list[Personal]:
    return [each for each in PERSONAL if each.erasure == erasure]


def _label(personal: Personal) -> str:
    return personal.file.replace("-", " ").replace("e mail", "e-mail")


def _some(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in counts.items())


def overwrite_remnants() -> bool:
    """Write SQLite's file anew, without what was deleted; tells whether that was possible.

    SQLite keeps the bytes of deleted rows until they are used; PostgreSQL leaves them to its own
    vacuum, and a backup of it has rows only. It is not possible inside a transaction, or
    while somebody else writes for long.
    """
    if connection.vendor != "sqlite":
        return True
    if connection.in_atomic_block:
        return False
    try:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy = cursor.fetchone()[0]
    except OperationalError:
        return False
    return not busy
