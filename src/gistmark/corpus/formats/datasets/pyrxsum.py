"""PyrXSum: content units that people wrote for XSum's references, and which summaries state them.

Zhang and Bansal: Finding a Balanced Degree of Automation for Summary Evaluation, EMNLP 2021. The
folder PyrXSum of github.com/ZhangShiyue/Lite2-3Pyramid holds line-aligned files, a document per
line:

    ids.txt, documents.txt, references.txt
    SCUs.txt                the units of the reference, with a tab between one and the next
    summaries/NAME.summary  what the system NAME wrote
    labels/NAME.label       1 or 0 for each unit, with a tab between: whether the summary states it

Units have no names there; here they are numbered within their document. `STUs.txt`, which holds
units that a program extracted, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from gistmark.corpus.corpus import Corpus, reference_name
from gistmark.corpus.files.text import check_head
from gistmark.corpus.formats.draft import AGGREGATE, Draft
from gistmark.corpus.lines import read_lines
from gistmark.errors import CorpusError, Diagnostics, Problem

_IDS, _DOCUMENTS, _REFERENCES, _UNITS = "ids.txt", "documents.txt", "references.txt", "SCUs.txt"
_NEEDED = (_IDS, _REFERENCES, _UNITS)
_AUTOMATIC = "STUs.txt"
_SUMMARY, _LABEL = "summaries/*.summary", "labels/*.label"


class PyrXSum:
    """The released annotations of PyrXSum, and data in the same form."""

    name = "pyrxsum"
    description = "PyrXSum's folder: content units of references, and which summaries state them."

    def read(self, source: Path) -> Corpus:
        if not source.is_dir():
            raise CorpusError([Problem("There is no such folder.", str(source))])
        diagnostics = Diagnostics()
        lines = _read_files(source, diagnostics)
        draft = Draft(diagnostics)
        ids = lines[source / _IDS]
        _add_texts(draft, source, lines, ids)
        units = _add_units(draft, source / _UNITS, lines, ids)
        for path in sorted(source.glob(_LABEL)):
            _add_labels(draft, path, lines[path], ids, units)
        _add_notes(source, diagnostics)
        return draft.finish()


_Lines = Mapping[Path, list[str]]


def _read_files(folder: Path, diagnostics: Diagnostics) -> _Lines:
    """The lines of every file; a file that is missing, unreadable or shorter is a problem."""
    for name in _NEEDED:
        if not (folder / name).is_file():
            diagnostics.problem("There is no such file.", (str(folder / name), None))
    texts = [path for name in (*_NEEDED, _DOCUMENTS) if (path := folder / name).is_file()]
    paths = [*texts, *sorted(folder.glob(_SUMMARY)), *sorted(folder.glob(_LABEL))]
    readable = [path for path in paths if check_head(path, diagnostics)]
    diagnostics.stop_if_bad()
    lines = {path: read_lines(path) for path in readable}
    expected = len(lines[folder / _IDS])
    for path, rows in lines.items():
        if len(rows) != expected:
            text = f"The file has {len(rows):,} lines, but {_IDS} has {expected:,}."
            diagnostics.problem(text, (str(path), None))
    diagnostics.stop_if_bad()
    return lines


def _add_texts(draft: Draft, folder: Path, lines: _Lines, ids: list[str]) -> None:
    documents, references = folder / _DOCUMENTS, folder / _REFERENCES
    for number, id in enumerate(ids):
        if documents in lines:
            location = (str(documents), number + 1)
            draft.add("documents", location, id=id, text=lines[documents][number])
        location = (str(references), number + 1)
        draft.add(
            "summaries", location,
            document=id, system=reference_name(1), text=lines[references][number], reference=True,
        )  # fmt: skip
        for path in sorted(folder.glob(_SUMMARY)):
            draft.summary((str(path), number + 1), id, path.stem, lines[path][number])


def _add_units(draft: Draft, path: Path, lines: _Lines, ids: list[str]) -> list[int]:
    """Add the units, numbered from 1 within each document; return how many each has."""
    counts = []
    for number, (id, line) in enumerate(zip(ids, lines[path], strict=True), start=1):
        texts = _cells(line)
        counts.append(len(texts))
        for unit, text in enumerate(texts, start=1):
            draft.add(
                "units", (str(path), number),
                document=id, id=str(unit), text=text, reference=reference_name(1),
            )  # fmt: skip
    return counts


def _add_labels(
    draft: Draft, path: Path, rows: list[str], ids: list[str], units: list[int]
) -> None:
    for number, (id, line, expected) in enumerate(zip(ids, rows, units, strict=True), start=1):
        location, labels = (str(path), number), _cells(line)
        if len(labels) != expected:
            text = f"The line has {len(labels)} labels, but the document has {expected} units."
            draft.diagnostics.problem(text, location)
            continue
        for unit, present in _marks(draft.diagnostics, location, labels):
            draft.add(
                "presence", location,
                document=id, unit=unit, system=path.stem, annotator=AGGREGATE, present=present,
            )  # fmt: skip


def _marks(
    diagnostics: Diagnostics, location: tuple[str, int], labels: list[str]
) -> Iterator[tuple[str, bool]]:
    for unit, label in enumerate(labels, start=1):
        if label in ("0", "1"):
            yield str(unit), label == "1"
        else:
            diagnostics.problem(f"Label {unit} must be 1 or 0, but is {label!r}.", location)


def _cells(line: str) -> list[str]:
    """The cells of a line, separated by tabs; a line may end in a tab."""
    return line.removesuffix("\t").split("\t") if line else []


def _add_notes(folder: Path, diagnostics: Diagnostics) -> None:
    if next(folder.glob(_LABEL), None) is not None:
        diagnostics.note(
            "The labels are one value per unit and summary, so their annotator is called "
            f"{AGGREGATE!r}; the files do not say how far people agreed.",
            (str(folder), None),
        )
    if (folder / _AUTOMATIC).is_file():
        text = "Units that a program extracted were left out."
        diagnostics.note(text, (str(folder / _AUTOMATIC), None))


FORMAT = PyrXSum()
