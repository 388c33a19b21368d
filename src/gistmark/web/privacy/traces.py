"""The traces of a person outside their own rows: names in trails, notes and answers.

What is looked up and what erasure does to it stand side by side here, so that what is announced is
what happens. `Words` are what identifies somebody, and take themselves out of texts and JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import Model, Q, QuerySet

from gistmark.web.accounts.audit import redacting
from gistmark.web.accounts.models import Attempt, AuditEntry, MailAddress, User
from gistmark.web.accounts.names import name_key
from gistmark.web.annotate.models import Adjudication, Comment, Decision, Submission, Task
from gistmark.web.campaigns.models import Event, Highlight, Unit
from gistmark.web.crowd.models import Participant, Recruitment, Visit
from gistmark.web.qualification.models import PracticeAnswer
from gistmark.web.results.exports.prepared import forget_exports
from gistmark.web.results.models import Disagreements, Export, Statistics

_BEFORE = r"(?<![\w@+\-])(?<!\w\.)"
_AFTER = r"(?![\w@+\-])(?!\.\w)"
ERASED = "(erased)"
"""Stands in the platform's trail for everybody who was erased, so that it leads nowhere."""
FIXED = {"role", "format", "kind", "scope", "slot", "slots", "settings", "protocol", "item"}
"""Keys of trails whose values are words of the platform, and never people."""
_NOTES: tuple[tuple[type[Model], str], ...] = (
    (Decision, "reason"),
    (Adjudication, "note"),
    (Comment, "text"),
)
"""What people write about each other's work."""
_IN_CORPORA: tuple[type[Model], ...] = (Highlight, Unit)
_AT_ONCE = 500


@dataclass(frozen=True)
class Words:
    """Words to be replaced by a stand-in wherever they stand by themselves, in any case.

    A word inside another name, such as `ada` in `ada.lovelace`, stays.

    >>> Words(("ada",), "somebody").out_of("Ada was quick, ada.lovelace was not.")
    'somebody was quick, ada.lovelace was not.'
    """

    words: tuple[str, ...]
    stand_in: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        written = {form for word in self.words for form in (word, word.upper(), word.casefold())}
        longest_first = sorted(filter(None, written), key=len, reverse=True)
        either = "|".join(map(re.escape, longest_first)) or r"(?!)"
        return re.compile(f"{_BEFORE}(?:{either}){_AFTER}", re.IGNORECASE)

    def are_in(self, text: str) -> bool:
        """Whether one of the words stands in a text."""
        return self.pattern.search(text) is not None

    def out_of(self, text: str) -> str:
        """The text with the stand-in for each of the words."""
        return self.pattern.sub(lambda _: self.stand_in, text)

    def masked(self, value: Any) -> Any:
        """A JSON value with dots in place of the words, as many as they have letters.

        Keys stay, and texts are as long as before, so an answer is as valid as it was.
        """
        if isinstance(value, str):
            return self.pattern.sub(lambda match: "…" * len(match[0]), value)
        if isinstance(value, list):
            return [self.masked(each) for each in value]
        if isinstance(value, dict):
            return {key: self.masked(each) for key, each in value.items()}
        return value

    def out_of_json(self, value: Any, *, fixed: Iterable[str] = ()) -> Any:
        """The same for every text in a JSON value, keys included; values of `fixed` keys stay."""
        if isinstance(value, str):
            return self.out_of(value)
        if isinstance(value, list):
            return [self.out_of_json(each, fixed=fixed) for each in value]
        if isinstance(value, dict):
            return {
                self.out_of(key): each if key in fixed else self.out_of_json(each, fixed=fixed)
                for key, each in value.items()
            }
        return value


def earlier_names(user: User) -> list[str]:
    """The names that somebody had before, unless somebody else has them now."""
    names, entries = [user.username], AuditEntry.objects.filter(verb="account-renamed")
    for name in names:
        before = entries.filter(name=name).values_list("about__before", flat=True)
        names += [each for each in before if each and each not in names]
    keys = {name_key(name): name for name in names[1:]}
    taken = User.objects.filter(key__in=keys).exclude(pk=user.pk).values_list("key", flat=True)
    return [name for key, name in keys.items() if key not in set(taken)]


def words_of(user: User) -> tuple[str, ...]:
    """What identifies a person in a text."""
    whole = f"{user.first_name} {user.last_name}".strip()
    names = (user.username, *earlier_names(user), user.email, whole, *_ids_of(user))
    return tuple(dict.fromkeys(filter(None, names)))


def _ids_of(user: User) -> Iterator[str]:
    """What providers and markets call somebody, and where mail reaches them."""
    yield from MailAddress.objects.filter(user=user).values_list("address", flat=True)
    yield from user.identities.values_list("subject", flat=True)
    yield from Participant.objects.filter(user=user).values_list("pid", flat=True)
    yield from Visit.objects.filter(participant__user=user).values_list("session", flat=True)


def audit_entries(words: Words) -> Iterator[AuditEntry]:
    """The entries of the platform's trail with one of the words, without them."""
    named = {word.casefold() for word in words.words}
    words = Words(words.words, ERASED)
    for entry in AuditEntry.objects.order_by("pk").iterator(_AT_ONCE):
        fixed = FIXED | ({"before"} if entry.verb == "role-changed" else set())
        about = words.out_of_json(entry.about, fixed=fixed)
        by = ERASED if entry.by.casefold() in named else entry.by
        name = ERASED if entry.name.casefold() in named else entry.name
        if (about, by, name) != (entry.about, entry.by, entry.name):
            entry.about, entry.by, entry.name = about, by, name
            yield entry


def redact_audit(words: Words) -> int:
    """Take the words out of the platform's trail; what happened and when stays."""
    entries = list(audit_entries(words))
    with redacting():
        AuditEntry.objects.bulk_update(entries, ["about", "by", "name"], batch_size=_AT_ONCE)
    return len(entries)


def redact_events(words: Words) -> int:
    """Take the words out of the trails of campaigns."""
    return _rewrite(Event.objects.all(), "about", lambda v: words.out_of_json(v, fixed=FIXED))


def redact_reports(words: Words) -> int:
    """Take the words out of what comparisons with markets came to."""
    return _rewrite(Recruitment.objects.exclude(report={}), "report", words.out_of_json)


def notes_with(words: Words, user: User | None) -> int:
    """How many notes of others have one of the words."""
    return sum(
        words.are_in(text)
        for model, field in _NOTES
        for text in _others(model, user).exclude(**{field: ""}).values_list(field, flat=True)
    )


def redact_notes(words: Words, user: User | None) -> int:
    """Take the words out of what others wrote about work."""
    return sum(
        _rewrite(_others(model, user).exclude(**{field: ""}), field, words.out_of)
        for model, field in _NOTES
    )


def redact_corpora(words: Words) -> int:
    """Take the name out of highlights and units that a campaign got from another one."""
    count = 0
    for model in _IN_CORPORA:
        for word in words.words:
            rows = model._default_manager.filter(annotator=word)
            count += rows.update(annotator=words.stand_in)
    return count


def redact_work(words: Words, user: User) -> None:
    """Take the words out of somebody's tasks and answers.

    A word that stands in the texts that were judged stays in the answer: there it is no name.
    """
    own = Task.objects.filter(annotator=user, content__isnull=False)
    _rewrite(own, "content", lambda content: content | {"annotator": words.stand_in})
    practised = PracticeAnswer.objects.filter(attempt__user=user)
    _rewrite(practised, "content", lambda content: content | {"annotator": words.stand_in})
    for row in practised.select_related("attempt__campaign", "item__document"):
        document = row.item and row.item.document.texts
        judged = [document, row.content, row.attempt.campaign.protocol]
        _mask(row, ("answer", "draft"), words, partial(list, judged))
    submitted = Submission.objects.filter(annotator=user).select_related("task__campaign")
    for sent in submitted.iterator(_AT_ONCE):
        _mask(sent, ("answer",), words, partial(_judged, sent.task))


def forget_results(words: Words, user: User | None) -> int:
    """Delete what was computed with somebody's name in it; it is computed anew when needed."""
    count = 0
    for model in (Statistics, Disagreements):
        rows = model._default_manager.all()
        named = [row.pk for row in rows if words.are_in(json.dumps(row.content, default=str))]
        wanted = Q(pk__in=named)
        if user is not None:
            wanted |= Q(campaign__in=Task.objects.filter(annotator=user).values("campaign"))
        count += rows.filter(wanted).delete()[0]
    return count


def forget_files() -> None:
    """Delete all exports that wait to be fetched; one that is being written cannot be fetched."""
    Export.objects.filter(state=Export.State.RUNNING).delete()
    forget_exports()


def attempts_of(words: Words) -> QuerySet[Attempt]:
    """The failed log-ins under somebody's name."""
    return Attempt.objects.filter(name__in=[name_key(word)[:150] for word in words.words])


def end_sessions(user: User) -> int:
    """Delete all sessions of somebody, those that are not listed too."""
    keys = [
        session.session_key
        for session in Session.objects.iterator(_AT_ONCE)
        if session.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    return Session.objects.filter(session_key__in=keys).delete()[0]


def _judged(task: Task) -> Any:
    """The texts that a task shows, and the words of its protocol."""
    texts = task.batch.items.values_list("document__texts", "summaries__summary__text")
    return [list(texts), task.content, task.campaign.protocol]


def _mask(row: Any, fields: tuple[str, ...], words: Words, judged: Callable[[], Any]) -> None:
    values = {name: value for name in fields if (value := getattr(row, name)) is not None}
    if not any(words.masked(value) != value for value in values.values()):
        return
    texts = json.dumps(judged(), ensure_ascii=False, default=str)
    names = Words(
        tuple(each for each in words.words if not Words((each,), "").are_in(texts)),
        words.stand_in,
    )
    for name, value in values.items():
        setattr(row, name, names.masked(value))
    row.save(update_fields=list(values))


def _rewrite(rows: QuerySet[Any], field: str, change: Callable[[Any], Any]) -> int:
    """Change a field of the rows; only those for which it is another one are written."""
    changed = []
    for row in rows.order_by("pk").iterator(_AT_ONCE):
        before = getattr(row, field)
        setattr(row, field, change(before))
        if getattr(row, field) != before:
            changed.append(row)
    rows.model._default_manager.bulk_update(changed, [field], batch_size=_AT_ONCE)
    return len(changed)


def _others(model: type[Model], user: User | None) -> QuerySet[Any]:
    """All rows but, of comments, somebody's own, which are deleted."""
    rows = model._default_manager.all()
    return rows.exclude(annotator=user) if model is Comment and user is not None else rows
