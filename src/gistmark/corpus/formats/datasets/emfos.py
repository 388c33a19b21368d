"""EMFoS: a CSV file, one row per summary, with six ratings by each of two reviewers.

Ranpara's thesis on evaluation metrics for summarisation; the released file is DATA.csv. It has
no articles, so there are no documents, and the titles go with the summaries. The
two sets of reviewers stay apart as the campaigns set1 and set2, even if a person is in both.

The thesis' tool takes another table in its bulk_entry, a row per article before anybody rated it:

    idx,title,gold,bart_summaries

It is recognised by its header. A column that ends in `_summaries` has the summaries of the system
before that ending, here bart; there may be several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import NAME, NUMBER, TEXT, Field, WrongValueError
from gistmark.corpus.files.tables import Table, dump_csv, read_table
from gistmark.corpus.formats.bundles import (
    Bundle,
    bundles,
    left_out,
    lost,
    lost_anonymity,
    lost_rating_details,
    lost_reference_names,
    numbered,
)
from gistmark.corpus.formats.draft import Draft
from gistmark.corpus.schemas.checks import OnDuplicate
from gistmark.corpus.schemas.schema import Schema, parse
from gistmark.errors import Diagnostics, Location, UsageError
from gistmark.records import Rating
from gistmark.runtime.files import write_text

SYSTEM = "candidate"
CAMPAIGNS = ("set1", "set2")
DIMENSIONS: Mapping[str, str] = {
    "grammatical_correctness": "grammatical correctness",
    "arrangement": "arrangement",
    "quality": "text quality",
    "conciseness": "conciseness",
    "exhaustiveness": "exhaustiveness",
    "subjectiveScore": "overall",
}
"""The measures' columns, without _1 and _2, and the dimensions that they are read as."""

_FILE = "DATA.csv"
_BULK = ("idx", "title", "gold")
_SUMMARIES = "_summaries"
_MEASURED = {f"{column}_{number}" for number in (1, 2) for column in DIMENSIONS}
_MEASURES = tuple(
    Field(f"{column}_{number}", NAME if column == "annotator" else NUMBER, required=False)
    for number in (1, 2)
    for column in (*DIMENSIONS, "annotator")
)


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    candidate: str
    gold: str
    title: str | None
    reviews: tuple[tuple[Any, ...], ...]
    """For each of the two reviewers, the six values and then the name."""


def _row(id: str, candidate: str, gold: str, title: str | None, *measures: Any) -> _Row:
    width = len(DIMENSIONS) + 1
    reviews = (measures[:width], measures[width:])
    for number, (*values, annotator) in enumerate(reviews, start=1):
        if annotator is None and any(value is not None for value in values):
            raise WrongValueError(
                f"There are ratings, but the column 'annotator_{number}' is empty"
            )
    return _Row(id, candidate, gold, title, reviews)


_ROWS = Schema(
    "rows",
    "row",
    _row,
    (
        Field("summaryID", NAME),
        Field("candidate", TEXT),
        Field("gold", TEXT),
        Field("title", TEXT, required=False),
        *_MEASURES,
    ),
)


class Emfos:
    """The released ratings of EMFoS, and data in the same form."""

    name = "emfos"
    description = (
        "EMFoS' DATA.csv: one system's summaries rated by two sets of reviewers; or the table of "
        "its tool's bulk_entry."
    )

    def read(self, source: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        path = source / _FILE if source.is_dir() else source
        diagnostics = Diagnostics()
        table = read_table(path, diagnostics, form=".csv")
        if "idx" in table.columns and "summaryID" not in table.columns:
            return bulk_entry(table, diagnostics)
        draft = Draft(diagnostics)
        rows = parse(_ROWS, table, diagnostics)
        for row, location in zip(rows.records, rows.locations, strict=True):
            _read_row(draft, row, location)
        return draft.finish(partial=rows.partial, on_duplicate=on_duplicate)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        if len(corpus.systems) != 1:
            systems = ", ".join(corpus.systems) or "none"
            raise UsageError(f"EMFoS holds the summaries of one system; the corpus has: {systems}.")
        bundled = list(bundles(corpus))
        held = [bundle for bundle in bundled if bundle.summaries and bundle.references]
        slots = _slots(corpus)
        rows = [_cells(bundle, slots) for bundle in held]
        names = [field.name for field in _ROWS.fields]
        table = Table({name: [row.get(name) for row in rows] for name in names})
        write_text(target, "".join(dump_csv(table)))
        ratings = sum(sum(name in _MEASURED for name in row) for row in rows)
        return tuple(_losses(corpus, bundled, held, ratings))


def is_bulk_entry(names: Iterable[str]) -> bool:
    """Whether these columns are those of bulk_entry's table."""
    names = set(names)
    summaries = any(name.removesuffix(_SUMMARIES) not in ("", name) for name in names)
    return names.issuperset(_BULK) and (summaries or names == {*_BULK, "summary"})


def read_bulk_entry(path: Path) -> Corpus:
    """The corpus in a file of bulk_entry; every problem is reported at once, with its line."""
    diagnostics = Diagnostics()
    return bulk_entry(read_table(path, diagnostics, form=".csv"), diagnostics)


def bulk_entry(table: Table, diagnostics: Diagnostics) -> Corpus:
    """The corpus in bulk_entry's table; a column `summary` has those of the system candidate."""
    systems = {name: name.removesuffix(_SUMMARIES) for name in table.columns}
    systems = {name: system for name, system in systems.items() if system not in ("", name)}
    systems = systems or {"summary": SYSTEM}
    names = (*_BULK, *systems)

    def complete(*cells: str) -> tuple[str, ...]:
        for name, cell in zip(names, cells, strict=True):
            if not cell.strip():
                raise WrongValueError(f"The column {name!r} is empty")
        return cells

    fields = tuple(Field(name, NAME if name == "idx" else TEXT) for name in names)
    rows = parse(Schema("rows", "row", complete, fields), table, diagnostics)
    draft = Draft(diagnostics)
    for (idx, title, gold, *summaries), location in zip(rows.records, rows.locations, strict=True):
        for system, summary in zip(systems.values(), summaries, strict=True):
            draft.summary(location, idx, system, summary, title=title)
        draft.reference(location, idx, 1, gold, title=title)
    return draft.finish(partial=rows.partial)


def _read_row(draft: Draft, row: _Row, location: Location) -> None:
    draft.summary(location, row.id, SYSTEM, row.candidate, title=row.title)
    draft.reference(location, row.id, 1, row.gold, title=row.title)
    for campaign, (*values, annotator) in zip(CAMPAIGNS, row.reviews, strict=True):
        for dimension, value in zip(DIMENSIONS.values(), values, strict=True):
            if value is not None:
                draft.add(
                    "ratings",
                    location,
                    document=row.id,
                    system=SYSTEM,
                    annotator=annotator,
                    dimension=dimension,
                    value=value,
                    campaign=campaign,
                )


Slots = dict[tuple[str, str], list[list[Rating]]]


def _slots(corpus: Corpus) -> Slots:
    """The ratings of each summary, in two slots: those of the first and the second reviewer.

    A reviewer is an annotator in a campaign. Those of set1 and set2 come first and second; others
    fill the free slots, in the order of the ratings. Further ones are left out.
    """
    reviewers: dict[tuple[str, str], dict[tuple[str, str | None], list[Rating]]] = {}
    for rating in corpus.ratings:
        summary_reviewers = reviewers.setdefault((rating.document, rating.system), {})
        summary_reviewers.setdefault((rating.annotator, rating.campaign), []).append(rating)
    return {summary: _assign_slots(members) for summary, members in reviewers.items()}


def _assign_slots(members: Mapping[tuple[str, str | None], list[Rating]]) -> list[list[Rating]]:
    slots: list[list[Rating]] = [[], []]
    slot_of_campaign = {campaign: number for number, campaign in enumerate(CAMPAIGNS)}
    for (_, campaign), ratings in sorted(
        members.items(), key=lambda item: item[0][1] not in slot_of_campaign
    ):
        free_slots = [number for number, slot in enumerate(slots) if not slot]
        slot_number = slot_of_campaign.get(campaign or "", free_slots[0] if free_slots else None)
        if slot_number is not None and not slots[slot_number]:
            slots[slot_number] = ratings
    return slots


def _cells(bundle: Bundle, slots: Slots) -> dict[str, object]:
    summary = bundle.summaries[0]
    gold = next(iter(numbered(bundle.references).values()))
    cells: dict[str, object] = {
        "summaryID": bundle.id,
        "candidate": summary.text,
        "gold": gold.text,
        "title": bundle.title,
    }
    columns = {dimension: column for column, dimension in DIMENSIONS.items()}
    for number, ratings in enumerate(slots.get((bundle.id, summary.system), []), start=1):
        for rating in ratings:
            if rating.dimension in columns:
                cells[f"{columns[rating.dimension]}_{number}"] = rating.value
                cells[f"annotator_{number}"] = rating.annotator
    return cells


def _losses(
    corpus: Corpus, bundled: list[Bundle], held: list[Bundle], ratings: int
) -> Iterator[str]:
    yield from left_out(corpus, "documents", "comparisons", "highlights", "questions", "planted")
    yield from lost(len(bundled) - len(held), "rows without a summary or without a reference")
    yield from lost(sum(len(b.references) - 1 for b in held), "further references")
    yield from lost_reference_names(
        dict([next(iter(numbered(bundle.references).items()))]) for bundle in held
    )
    if corpus.systems != (SYSTEM,):
        yield f"The format has no names of systems: {corpus.systems[0]!r} will be {SYSTEM!r}."
    yield from lost(sum(bundle.lost_titles for bundle in held), "titles of summaries")
    yield from lost_anonymity(corpus.summaries)
    yield from lost(sum(bundle.title == "" for bundle in held), "empty titles")
    yield from lost(
        len(corpus.ratings) - ratings,
        "ratings: it has two reviewers and six dimensions for each summary",
    )
    other_campaigns = sum(rating.campaign not in CAMPAIGNS for rating in corpus.ratings)
    yield from lost(other_campaigns, "campaigns of ratings, which are set1 and set2 instead")
    yield from lost_rating_details(corpus, campaign=False)


FORMAT = Emfos()
