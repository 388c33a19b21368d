"""Line-aligned text files, as files2rouge and its kin take them.

SOURCE is one of these:

- a file of summaries, NAME.txt, with its references beside it in NAME.ref.txt, NAME.ref.2.txt, …;
- files joined by commas: the summaries first, then one file or more of references;
- a folder with SYSTEM.txt for each system, references.txt, references.2.txt, … and, if the
  documents are known, documents.txt. This is also what is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from gistmark.corpus.corpus import Corpus, reference_name
from gistmark.corpus.files.text import check_head, file_name, name_of_file
from gistmark.corpus.formats.bundles import (
    JUDGEMENTS,
    bundles,
    left_out,
    lost,
    lost_anonymity,
    lost_document_details,
    lost_reference_names,
    lost_titles,
    numbered,
    refuse_confusing_names,
)
from gistmark.corpus.lines import open_lines, read_lines
from gistmark.corpus.schemas.checks import check
from gistmark.errors import CorpusError, Diagnostics, Problem, UsageError
from gistmark.records import Document, Summary
from gistmark.runtime.files import write_text

_REFERENCES = re.compile(r"references(?:\.([1-9][0-9]*))?")
_DOCUMENTS = "documents"


class Pairs:
    """Text files with one summary per line and the references on the same lines of others."""

    name = "pairs"
    description = (
        "Line-aligned text files: NAME.txt with NAME.ref.txt, or A.txt,B.txt, or a folder."
    )

    def read(self, source: Path) -> Corpus:
        if source.is_dir():
            return _read_folder(source)
        if source.exists():
            return open_lines(source, _references_beside(source)).load()
        summaries, *references = str(source).split(",")
        if references:
            return open_lines(summaries, references).load()
        raise CorpusError([Problem("There is no such file or folder.", str(source))])

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        refuse_confusing_names(corpus)
        bundled = list(bundles(corpus))
        references = [numbered(bundle.references) for bundle in bundled]
        lines: dict[str, list[str | None]] = {}
        if corpus.documents:
            lines[_DOCUMENTS] = [b.document.text if b.document else None for b in bundled]
        for number in sorted({number for numbers in references for number in numbers}):
            name = "references" if number == 1 else f"references.{number}"
            lines[name] = [r[number].text if number in r else None for r in references]
        for system in corpus.systems:
            by_system = ({s.system: s.text for s in b.summaries} for b in bundled)
            lines[_system_file(system)] = [texts.get(system) for texts in by_system]
        for name, texts in lines.items():
            write_text(target / f"{name}.txt", "".join(_flatten(t or "") + "\n" for t in texts))
        return (
            *left_out(corpus, *JUDGEMENTS),
            *lost_document_details(corpus),
            *lost_titles(corpus),
            *lost_anonymity(corpus.summaries),
            *lost_reference_names(references),
            *_line_losses(corpus, lines),
        )


def _references_beside(source: Path) -> list[Path]:
    numbered_file = re.compile(re.escape(source.stem) + r"\.ref(?:\.([1-9][0-9]*))?\.txt")
    matches = ((numbered_file.fullmatch(path.name), path) for path in source.parent.iterdir())
    files = sorted((int(match[1] or 1), path) for match, path in matches if match)
    if not files:
        raise UsageError(
            f"There are no references beside {source}: call them {source.stem}.ref.txt, "
            f"or give the files as {source.name},REFERENCES.txt."
        )
    return [path for _, path in files]


def _read_folder(folder: Path) -> Corpus:
    diagnostics = Diagnostics()
    lines = _read_files(folder, diagnostics)
    documents = [
        Document(str(number), (text,))
        for number, text in enumerate(lines.get(_DOCUMENTS, ()), start=1)
    ]
    summaries: list[Summary] = []
    for name, texts in lines.items():
        match = _REFERENCES.fullmatch(name)
        if name == _DOCUMENTS:
            continue
        system = reference_name(int(match[1] or 1)) if match else name_of_file(name)
        summaries += (
            Summary(str(number), system, text, reference=match is not None)
            for number, text in enumerate(texts, start=1)
        )
    corpus = check(Corpus(documents=tuple(documents), summaries=tuple(summaries)))
    return replace(corpus, notes=tuple(diagnostics.notes))


def _read_files(folder: Path, diagnostics: Diagnostics) -> dict[str, list[str]]:
    paths = sorted(path for path in folder.glob("*.txt") if path.is_file())
    if not paths:
        diagnostics.problem("The folder has no text files (*.txt).", (str(folder), None))
    readable = [path for path in paths if check_head(path, diagnostics)]
    diagnostics.stop_if_bad()
    lines = {path.stem: read_lines(path) for path in readable}
    if len({len(texts) for texts in lines.values()}) > 1:
        counts = ", ".join(f"{name}.txt has {len(texts):,}" for name, texts in lines.items())
        diagnostics.problem(
            f"Line-aligned files must have equally many lines: {counts}.", (str(folder), None)
        )
        diagnostics.stop_if_bad()
    return lines


def _system_file(system: str) -> str:
    """A file name for a system that is not taken for references or documents."""
    name = file_name(system)
    if name == _DOCUMENTS or _REFERENCES.fullmatch(name):
        return f"%{ord(name[0]):02X}{name[1:]}"
    return name


def _flatten(text: str) -> str:
    flat = text.replace("\n", " ")
    return flat[:-1] + " " if flat.endswith("\r") else flat


def _line_losses(corpus: Corpus, lines: Mapping[str, list[str | None]]) -> Iterator[str]:
    ids = corpus.document_ids
    renamed = sum(id != str(number) for number, id in enumerate(ids, start=1))
    broken = sum(t is not None and _flatten(t) != t for texts in lines.values() for t in texts)
    lacking = sum(text is None for texts in lines.values() for text in texts)
    yield from lost(renamed, "ids of documents, which are line numbers instead")
    yield from lost(broken, "texts with line breaks, which are spaces instead")
    if lacking:
        yield f"The format needs every summary: {lacking:,} missing ones are empty lines."


FORMAT = Pairs()
