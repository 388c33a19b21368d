"""DIP-SumEval: LikertAnno.csv, PairAnno.csv, and summaries/SYSTEM/TOPIC.txt.

The documents are not in the data set, so a topic is a document without text. Every column of
LikertAnno.csv but method, annotator and topic is a dimension. In PairAnno.csv, "i greater j?"
is 1 where method_i won; it is read as the left one. A folder MMR_star is the method MMR*.
"""

from __future__ import annotations

from pathlib import Path

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.files.tables import Table, dump_csv, read_table
from gistmark.corpus.files.text import file_name, name_of_file, read_text
from gistmark.corpus.formats.bundles import (
    first_ratings,
    left_out,
    lost,
    lost_anonymity,
    lost_rating_details,
    lost_titles,
)
from gistmark.corpus.formats.draft import Draft
from gistmark.corpus.schemas.checks import OnDuplicate
from gistmark.errors import Diagnostics
from gistmark.records import Rating
from gistmark.runtime.files import write_text

_LIKERT = "LikertAnno.csv"
_PAIRS = "PairAnno.csv"
_SUMMARIES = "summaries"
_LIKERT_KEYS = ("method", "annotator", "topic")
_PAIR_KEYS = ("method_i", "method_j", "annotator", "topic", "criterion", "i greater j?")
_STAR = "_star"
_CHOICES = {"1": "left", "0": "right"}


class DipSumEval:
    """The released annotations of DIP-SumEval, and data in the same form."""

    name = "dip-sumeval"
    description = "DIP-SumEval's folder: Likert ratings, pairwise votes and summaries."

    def read(self, source: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        diagnostics = Diagnostics()
        draft = Draft(diagnostics)
        if not any((source / part).exists() for part in (_LIKERT, _PAIRS, _SUMMARIES)):
            diagnostics.problem(
                f"The folder has none of {_LIKERT}, {_PAIRS} and {_SUMMARIES}.", (str(source), None)
            )
        _read_summaries(draft, source / _SUMMARIES)
        _read_likert(draft, source / _LIKERT)
        _read_pairs(draft, source / _PAIRS)
        return draft.finish(partial=bool(diagnostics.problems), on_duplicate=on_duplicate)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        for summary in corpus.summaries:
            folder = target / _SUMMARIES / _folder_name(summary.system)
            write_text(folder / f"{file_name(summary.document)}.txt", summary.text)
        ratings, repeated = first_ratings(corpus)
        if ratings:
            write_text(target / _LIKERT, "".join(dump_csv(_likert(ratings))))
        if any(comparison.choice != "tie" for comparison in corpus.comparisons):
            write_text(target / _PAIRS, "".join(dump_csv(_pairs(corpus))))
        return (
            *left_out(corpus, "documents", "highlights", "questions", "planted"),
            *lost(sum(map(len, corpus.references.values())), "marks that a summary is a reference"),
            *lost(sum(c.choice == "tie" for c in corpus.comparisons), "ties between summaries"),
            *lost(
                sum(c.strength is not None for c in corpus.comparisons),
                "strengths of preferences",
            ),
            *lost_titles(corpus),
            *lost_anonymity(corpus.summaries),
            *repeated,
            *lost_rating_details(corpus),
        )


def _read_summaries(draft: Draft, folder: Path) -> None:
    for path in sorted(folder.glob("*/*.txt")):
        text = "" if path.stat().st_size == 0 else read_text(path, draft.diagnostics)
        if text is not None:
            location = (str(path), None)
            draft.summary(location, name_of_file(path.stem), _system_name(path.parent.name), text)


def _read_likert(draft: Draft, path: Path) -> None:
    table = _read_optional_table(draft.diagnostics, path, _LIKERT_KEYS)
    dimensions = [name for name in table.columns if name not in _LIKERT_KEYS]
    for location, row in table.rows():
        keys = {
            "document": row["topic"],
            "system": row["method"],
            "annotator": row["annotator"],
        }
        for dimension in dimensions:
            if row[dimension] != "":
                value = draft.number(location, dimension, row[dimension])
                if value is not None:
                    draft.add("ratings", location, **keys, dimension=dimension, value=value)


def _read_pairs(draft: Draft, path: Path) -> None:
    table = _read_optional_table(draft.diagnostics, path, _PAIR_KEYS)
    for name in table.columns:
        if name not in _PAIR_KEYS:
            draft.diagnostics.note(f"The column {name!r} was left out.", (str(path), 1))
    for location, row in table.rows():
        answer = str(row["i greater j?"]).strip()
        if answer not in _CHOICES:
            message = f"The column 'i greater j?' must be 0 or 1, but is {answer!r}."
            draft.diagnostics.problem(message, location)
            continue
        draft.add(
            "comparisons",
            location,
            document=row["topic"],
            left=row["method_i"],
            right=row["method_j"],
            annotator=row["annotator"],
            dimension=row["criterion"],
            choice=_CHOICES[answer],
        )


def _read_optional_table(diagnostics: Diagnostics, path: Path, keys: tuple[str, ...]) -> Table:
    """The table of a file; an empty one if there is no file or a column is missing."""
    if not path.exists():
        return Table({})
    table = read_table(path, diagnostics)
    absent = [key for key in keys if key not in table.columns]
    if absent and not (table.partial and not table.columns):
        names = ", ".join(map(repr, absent))
        diagnostics.problem(f"These columns are missing: {names}.", (str(path), 1))
    return Table({}) if absent else table


def _likert(ratings: list[Rating]) -> Table:
    dimensions = dict.fromkeys(rating.dimension for rating in ratings)
    rows: dict[tuple[str, str, str], dict[str, object]] = {}
    for rating in ratings:
        key = (rating.system, rating.annotator, rating.document)
        rows.setdefault(key, {})[rating.dimension] = rating.value
    columns: dict[str, list[object]] = {
        name: [key[position] for key in rows] for position, name in enumerate(_LIKERT_KEYS)
    }
    values = {name: [row.get(name) for row in rows.values()] for name in dimensions}
    return Table(columns | values)


def _pairs(corpus: Corpus) -> Table:
    answers = {choice: answer for answer, choice in _CHOICES.items()}
    votes = [vote for vote in corpus.comparisons if vote.choice != "tie"]
    return Table(
        {
            "annotator": [vote.annotator for vote in votes],
            "method_i": [vote.left for vote in votes],
            "method_j": [vote.right for vote in votes],
            "topic": [vote.document for vote in votes],
            "criterion": [vote.dimension for vote in votes],
            "i greater j?": [answers[vote.choice] for vote in votes],
        }
    )


def _folder_name(system: str) -> str:
    """MMR* as MMR_star; a system that is really called MMR_star gets its _ escaped."""
    if system.endswith(_STAR):
        return file_name(system.removesuffix(_STAR)) + "%5F" + _STAR[1:]
    return file_name(system[:-1]) + _STAR if system.endswith("*") else file_name(system)


def _system_name(folder: str) -> str:
    if folder.endswith(_STAR):
        return name_of_file(folder.removesuffix(_STAR)) + "*"
    return name_of_file(folder)


FORMAT = DipSumEval()
