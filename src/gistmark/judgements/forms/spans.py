"""Errors that are marked in a summary, each with a category and a severity. As JSON:

    {"spans": [{"start": 10, "end": 23, "category": "grammar", "severity": "minor",
                "comment": "...", "source": {"start": 120, "end": 140}}],
     "missing": {"category": "omission", "severity": "major", "comment": "...",
                 "source": {"start": 0, "end": 31}}}

or, where there is nothing to mark, `{"none": true}`: a summary that nobody looked at is not free of
errors. Offsets are characters of the stored summary, and in `source` of the stored document. After
MQM for translations (Freitag and others, "Experts, Errors, and Context", 2021), and ESA (Kocmi and
others, "Error Span Annotation", 2024), which adds missing content and an overall score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmark.corpus.fields import FLAG, Count, OneOf, Text, WrongValueError
from gistmark.judgements.fields import Fields, translatable
from gistmark.judgements.forms.base import Plain, QuestionBlock
from gistmark.judgements.forms.errors import (
    INPUTS,
    OMISSION,
    SEVERITIES,
    Category,
    Severity,
    kind_faults,
    read_categories,
    read_severities,
)
from gistmark.judgements.questions.base import Faults, Origin, Reading, TextKind
from gistmark.records import ErrorSpan
from gistmark.text.words import Span
from gistmark.text.written import as_written

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry

MOST_SPANS = 200
"""No person marks more errors in one summary."""
LONGEST_COMMENT = 1000
NO_ERRORS = translatable("No errors")

_OFFSET = Count()


class Comment(Text):
    """Text that is not too long."""

    def value(self, value: object) -> str:
        text = super().value(value)
        if len(text) > LONGEST_COMMENT:
            raise WrongValueError(
                f"must have at most {LONGEST_COMMENT:,} characters, but has {len(text):,}"
            )
        return text


@dataclass(frozen=True, kw_only=True)
class SpansBlock(QuestionBlock):
    """Which words are wrong, and in which respect?"""

    type = "spans"
    title = "Error spans"
    inputs = INPUTS
    about = "errors that are marked in the summary, with categories and severities"
    subjects = ("summary",)
    table = "spans"

    categories: tuple[Category, ...]
    severities: tuple[Severity, ...] = SEVERITIES
    """From light to heavy; without any, errors have no severity."""
    source: bool = True
    """Whether an error can point to the passage of the document that shows it."""
    missing: bool = True
    """Whether annotators can say that something important is missing."""
    comments: bool = True

    @classmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        return {
            "categories": read_categories(given),
            "severities": read_severities(given),
            "source": given.take("source", FLAG, True),
            "missing": given.take("missing", FLAG, True),
            "comments": given.take("comments", FLAG, True),
        }

    def words(self) -> tuple[str, ...]:
        kinds = [words for each in self.categories for words in (each.name, each.guidance)]
        return (self.question, self.guidance, *kinds)

    def faults(self, protocol: Protocol) -> Faults:
        yield from super().faults(protocol)
        yield from kind_faults(self.categories, self.severities, missing=self.missing)
        others = [block for block in protocol.blocks if isinstance(block, SpansBlock)]
        if len(others) > 1:
            yield "type", "is used more than once; a form has one question for errors"

    def needs(self, protocol: Protocol) -> frozenset[TextKind]:
        kinds: list[TextKind] = ["summary"]
        if self.source and protocol.shows_document:
            kinds.append("document")
        return frozenset(kinds)

    def read(self, answers: Fields, entry: Entry, reading: Reading) -> dict[str, Any] | None:
        if not answers.has(self.name):
            return None
        given = answers.inner(self.name)
        answer: dict[str, Any] = {}
        if spans := self._read_spans(given, entry, reading):
            answer["spans"] = spans
        if self.missing and (missing := given.optional("missing")):
            category = missing.take("category", OneOf((OMISSION,)), OMISSION)
            error = {"category": category, **self._read_details(missing, entry, reading)}
            missing.refuse_others()
            answer["missing"] = _without_gaps(error)
        if given.take("none", FLAG, False):
            if answer:
                given.fault("none", "must be left out: there are errors")
            answer["none"] = True
        elif not answer and not reading.draft:
            more = ", and no errors are marked; say that there are none, or mark some"
            given.missing("none", more)
        given.refuse_others()
        return answer or None

    def _read_spans(self, given: Fields, entry: Entry, reading: Reading) -> list[dict[str, Any]]:
        text = reading.texts.summary(entry)
        names = OneOf(tuple(category.name for category in self.categories))
        read, seen = [], set()
        for mark in given.objects("spans", MOST_SPANS):
            offsets = _offsets(mark, text, "the summary")
            category = mark.take("category", names, reading.default)
            error = {"category": category, **self._read_details(mark, entry, reading)}
            mark.refuse_others()
            if offsets is None:
                continue
            if category is not None and (*offsets, category) in seen:
                mark.fault("", f"marks the same words as {category!r} a second time")
            seen.add((*offsets, category))
            read.append({"start": offsets[0], "end": offsets[1], **_without_gaps(error)})
        return read

    def _read_details(self, given: Fields, entry: Entry, reading: Reading) -> dict[str, Any]:
        """What an error in the text and missing content have in common."""
        error: dict[str, Any] = {}
        if self.severities:
            names = OneOf(tuple(severity.name for severity in self.severities))
            error["severity"] = given.take("severity", names, reading.default)
        if self.comments:
            error["comment"] = (given.take("comment", Comment(), "") or "").strip() or None
        points = "document" in self.needs(reading.protocol)
        if points and (source := given.optional("source")):
            offsets = _offsets(source, reading.texts.document(entry), "the document")
            source.refuse_others()
            if offsets is not None:
                error["source"] = {"start": offsets[0], "end": offsets[1]}
        return error

    def records(self, answer: Mapping[str, Any], origin: Origin) -> Iterator[ErrorSpan]:
        about = (origin.document, origin.systems[0], origin.annotator)
        weights = {severity.name: severity.weight for severity in self.severities}
        missing = [answer["missing"]] if "missing" in answer else []
        for each in (*answer.get("spans", ()), *missing):
            source = each.get("source", {})
            yield ErrorSpan(
                *about,
                start=each.get("start"),
                end=each.get("end"),
                category=each["category"],
                severity=each.get("severity"),
                comment=each.get("comment"),
                source_start=source.get("start"),
                source_end=source.get("end"),
                weight=weights.get(each.get("severity")),
                campaign=origin.campaign,
            )
        if answer.get("none"):
            yield ErrorSpan(*about, campaign=origin.campaign)

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, Any]:
        from gistmark.judgements.forms.simulated import simulated_errors

        return simulated_errors(self, item, person)

    def condition_values(self) -> tuple[Plain, ...]:
        return ("marked", "none")

    def selected(self, answer: Mapping[str, Any]) -> tuple[Plain, ...]:
        if answer.get("none"):
            return ("none",)
        return ("marked",) if answer.get("spans") or "missing" in answer else ()

    def distance(self, answer: Mapping[str, Any] | None, right: Mapping[str, Any]) -> float:
        """100 - 100 F1 of the characters, each with its category: 0 is the same, 100 the farthest.

        It is also 100 where only one of the two says that something is missing.
        """
        if not answer or ("missing" in answer) != ("missing" in right):
            return 100.0
        given, expected = _characters(answer), _characters(right)
        total = sum(map(len, given.values())) + sum(map(len, expected.values()))
        if not total:
            return 0.0
        shared = sum(len(given[name] & expected[name]) for name in given.keys() & expected.keys())
        return 100 * (total - 2 * shared) / total

    def wording(self, answer: Mapping[str, Any]) -> str:
        return self.wording_in(answer, "")

    def wording_in(self, answer: Mapping[str, Any], text: str) -> str:
        written = as_written(text)
        spans = sorted(answer.get("spans", ()), key=lambda each: (each["start"], each["end"]))
        phrases = []
        for error in spans:
            start, end = error["start"], error["end"]
            if text[start:end].strip():
                start, end = written.to_shown(start, end)
            phrases.append(f"“{written.text[start:end]}”: {_kind_of(error)}")
        if "missing" in answer:
            phrases.append(_kind_of(answer["missing"]))
        return "; ".join(phrases) or NO_ERRORS


def _offsets(given: Fields, text: str, what: str) -> Span | None:
    """Start and end of a mark on a text; None where it is not on the text, which becomes a fault.

    A mark must have its offsets even in a draft.
    """
    start, end = given.take("start", _OFFSET), given.take("end", _OFFSET)
    if start is None or end is None:
        return None
    if end > len(text):
        given.fault("end", f"must be at most {len(text)}, the length of {what}, but is {end}")
    elif start >= end:
        given.fault("end", f"must be above start ({start}), but is {end}")
    elif text[start:end].isspace():
        given.fault("", f"marks nothing but white space of {what}")
    else:
        return start, end
    return None


def _without_gaps(error: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in error.items() if value is not None}


def _characters(answer: Mapping[str, Any]) -> dict[str, set[int]]:
    """The marked characters by category."""
    marked: dict[str, set[int]] = {}
    for each in answer.get("spans", ()):
        marked.setdefault(each.get("category", ""), set()).update(range(each["start"], each["end"]))
    return marked


def _kind_of(error: Mapping[str, Any]) -> str:
    return ", ".join(error[name] for name in ("category", "severity") if name in error)
