"""What annotators answered about one document, counted or written out, for people to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from gistmark.corpus import Corpus
from gistmark.records import ErrorSpan, Response

ERRORS = "errors"
"""What marked errors are listed under."""
_NEITHER = {"best-worst": "neither", "choices": "no option"}


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers to one question about one item: how often each was given, or all texts.

    `about` names the systems where the question is about several summaries together.
    """

    question: str
    about: tuple[str, ...]
    counts: tuple[tuple[str, int], ...] = ()
    texts: tuple[tuple[str, str], ...] = ()


def answered_of(corpus: Corpus, document: str) -> dict[str | None, list[Answered]]:
    """The answers about each summary by its system, and under None those about no single one."""
    groups: dict[tuple[str | None, str, frozenset[str]], list[Response]] = {}
    for each in corpus.responses:
        if each.document == document:
            shown = frozenset(each.systems) if each.system is None else frozenset[str]()
            groups.setdefault((each.system, each.question, shown), []).append(each)
    result: dict[str | None, list[Answered]] = {}
    for (system, question, shown), records in groups.items():
        result.setdefault(system, []).append(_answered(question, sorted(shown), records))
    spans: dict[str, list[ErrorSpan]] = {}
    for span in corpus.spans:
        if span.document == document:
            spans.setdefault(span.system, []).append(span)
    for name, errors in spans.items():
        result.setdefault(name, []).append(_errors(errors))
    for system, marks in _presence(corpus, document).items():
        result.setdefault(system, []).extend(marks)
    return result


def _presence(corpus: Corpus, document: str) -> dict[str, list[Answered]]:
    """By system, how often each content unit was marked as stated or not, with the score first."""
    from gistmark.analysis.human.units import UNITS, unit_shares

    marked: dict[tuple[str, str], list[str]] = {}
    for mark in corpus.presence:
        if mark.document == document:
            word = "stated" if mark.present else "not stated"
            marked.setdefault((mark.system, mark.unit), []).append(word)
    if not marked:
        return {}
    result: dict[str, list[Answered]] = {}
    for score in unit_shares(corpus).records():
        if score.document == document and score.value is not None:
            shown = ((f"{score.value:.2f}", score.n),)
            result[score.system] = [Answered(f"{UNITS}, by weight", (), shown)]
    texts = {unit.id: unit.text for unit in corpus.units_of(document)}
    for (system, unit), words in marked.items():
        one = Answered(texts.get(unit, unit), (), _counted(words))
        result.setdefault(system, []).append(one)
    return result


def _answered(question: str, about: list[str], records: list[Response]) -> Answered:
    if records[0].type == "text":
        texts = tuple((each.annotator, each.value) for each in records)
        return Answered(question, tuple(about), texts=texts)
    empty = _NEITHER.get(records[0].type, "")
    words = (each.value or empty for each in records)
    named = (f"rank {word}" for word in words) if records[0].type == "ranking" else words
    return Answered(question, tuple(about), _counted(named))


def _errors(spans: list[ErrorSpan]) -> Answered:
    """Errors by category and severity, and what was said about them."""
    comments = tuple((span.annotator, span.comment) for span in spans if span.comment)
    return Answered(ERRORS, (), _counted(map(_error, spans)), comments)


def _error(span: ErrorSpan) -> str:
    if span.category is None:
        return "no error"
    return f"{span.category} ({span.severity})" if span.severity else span.category


def _counted(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Each word with its number, the most frequent first."""
    counts = Counter(words)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
