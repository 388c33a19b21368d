"""SummEval: JSON lines, one per summary, with the ratings of experts and of crowd workers.

Fabbri, Kryściński, McCann, Xiong, Socher, Radev: SummEval: Re-evaluating Summarization
Evaluation, TACL 2021. The first of `references` is the original one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import NAME, TEXT, Field, Kind, WrongValueError, describe
from gistmark.corpus.files import jsonl
from gistmark.corpus.formats.bundles import (
    Bundle,
    bundles,
    first_ratings,
    left_out,
    lost,
    lost_anonymity,
    lost_document_details,
    lost_rating_details,
    lost_reference_names,
    lost_titles,
    numbered,
    refuse_confusing_names,
)
from gistmark.corpus.formats.draft import Draft, read_json_lines
from gistmark.corpus.schemas.checks import OnDuplicate
from gistmark.corpus.schemas.schema import Schema
from gistmark.errors import Location
from gistmark.records import Rating
from gistmark.runtime.files import write_text

_ANNOTATOR = re.compile(r"(expert|turker)([1-9][0-9]*)")
_GROUPS = ("expert", "turker")
_MAX_NUMBER = 1000  # an annotator's number is an index into a list, so numbers must be small


class _Objects(Kind):
    expected = "a list of objects"

    def value(self, value: object) -> list[dict[str, object]]:
        if not isinstance(value, list):
            raise self.wrong(value)
        for item in value:
            if not isinstance(item, dict):
                raise WrongValueError(f"must be {self.expected}, but one is {describe(item)}")
        return value


class _TextList(Kind):
    expected = "a list of texts"

    def value(self, value: object) -> list[str]:
        if not isinstance(value, list):
            raise self.wrong(value)
        return list(map(TEXT.value, value))


@dataclass(frozen=True, slots=True)
class _Line:
    id: str
    system: str
    summary: str
    references: list[str]
    text: str | None
    expert: list[dict[str, object]]
    turker: list[dict[str, object]]


_LINES = Schema(
    "lines",
    "line",
    _Line,
    (
        Field("id", NAME),
        Field("model_id", NAME),
        Field("decoded", TEXT),
        Field("references", _TextList(), required=False, default=[]),
        Field("text", TEXT, required=False),
        Field("expert_annotations", _Objects(), required=False, default=[]),
        Field("turker_annotations", _Objects(), required=False, default=[]),
    ),
)


class SummEval:
    """The released annotations of SummEval, and data in the same form."""

    name = "summeval"
    description = "SummEval JSON lines with expert and turker annotations."

    def read(self, source: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        return read_json_lines(source, _LINES, _read_line, on_duplicate=on_duplicate)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        refuse_confusing_names(corpus)
        parts = list(bundles(corpus))
        ratings, repeated = first_ratings(corpus)
        names = _annotator_names(ratings)
        ratings_by_summary = _ratings_by_summary(ratings, names)
        rows = (row for bundle in parts for row in _rows(bundle, ratings_by_summary))
        write_text(target, "".join(jsonl.dump_lines(rows)))
        written_summaries = {(s.document, s.system) for b in parts for s in b.summaries}
        ratings_of_references = sum(
            (r.document, r.system) not in written_summaries for r in ratings
        )
        references = (dict(enumerate(numbered(b.references).values(), start=1)) for b in parts)
        return (
            *left_out(corpus, "comparisons", "highlights", "questions", "planted"),
            *lost(sum(not b.summaries for b in parts), "documents without a system's summary"),
            *lost(ratings_of_references, "ratings of references"),
            *lost_document_details(corpus),
            *lost_titles(corpus),
            *lost_anonymity(corpus.summaries),
            *lost_reference_names(references),
            *repeated,
            *lost_rating_details(corpus),
            *lost(sum(old != new for old, new in names.items()), "names of annotators"),
        )


def _read_line(draft: Draft, line: _Line, location: Location) -> None:
    if line.text is not None:
        draft.document(location, line.id, text=line.text)
    for number, reference in enumerate(line.references, start=1):
        draft.reference(location, line.id, number, reference)
    draft.summary(location, line.id, line.system, line.summary)
    for group, items in (("expert", line.expert), ("turker", line.turker)):
        for number, annotation in enumerate(items, start=1):
            for dimension, value in annotation.items():
                draft.add(
                    "ratings",
                    location,
                    document=line.id,
                    system=line.system,
                    annotator=f"{group}{number}",
                    dimension=dimension,
                    value=value,
                )


def _annotator_names(ratings: Iterable[Rating]) -> dict[str, str]:
    """The name of each annotator in SummEval's terms: those of other names become experts."""
    annotators = dict.fromkeys(rating.annotator for rating in ratings)
    matches = list(map(_ANNOTATOR.fullmatch, annotators))
    if all(match is not None and int(match[2]) <= _MAX_NUMBER for match in matches):
        return {name: name for name in annotators}
    return {name: f"expert{number}" for number, name in enumerate(annotators, start=1)}


def _ratings_by_summary(
    ratings: Iterable[Rating], names: Mapping[str, str]
) -> dict[tuple[str, str], list[tuple[str, Rating]]]:
    ratings_by_summary: dict[tuple[str, str], list[tuple[str, Rating]]] = defaultdict(list)
    for rating in ratings:
        ratings_by_summary[rating.document, rating.system].append((names[rating.annotator], rating))
    return ratings_by_summary


def _rows(
    bundle: Bundle, ratings_by_summary: Mapping[tuple[str, str], list[tuple[str, Rating]]]
) -> Iterator[dict[str, object]]:
    for summary in bundle.summaries:
        row: dict[str, object] = {
            "id": bundle.id,
            "model_id": summary.system,
            "decoded": summary.text,
            "references": [r.text for r in numbered(bundle.references).values()],
        }
        if bundle.document is not None:
            row["text"] = bundle.document.text
        ratings = ratings_by_summary.get((bundle.id, summary.system), [])
        yield row | {
            f"{group}_annotations": _group_annotations(ratings, group) for group in _GROUPS
        }


def _group_annotations(ratings: list[tuple[str, Rating]], group: str) -> list[dict[str, object]]:
    """One object per annotator of a group, by number; {} for a number without an annotator."""
    by_number: dict[int, dict[str, object]] = defaultdict(dict)
    for name, rating in ratings:
        match = _ANNOTATOR.fullmatch(name)
        if match and match[1] == group:
            by_number[int(match[2])][rating.dimension] = jsonl.plain(rating.value)
    return [by_number[number] for number in range(1, max(by_number, default=0) + 1)]


FORMAT = SummEval()
