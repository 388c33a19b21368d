"""Formats with one JSON object per summary: read line by line into a draft."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.draft import Draft
from gistmark.corpus.duplicates import OnDuplicate
from gistmark.corpus.findings import Findings, Place
from gistmark.corpus.parsing import parse
from gistmark.corpus.schemas import Schema
from gistmark.corpus.tables.reading import read_table

Line = TypeVar("Line")


def read_json_lines(
    source: Path,
    schema: Schema[Line],
    read_line: Callable[[Draft, Line, Place], None],
    *,
    on_duplicate: OnDuplicate = "refuse",
) -> Corpus:
    """The corpus of a file whose lines fit `schema`; `read_line` puts each into the draft."""
    findings = Findings()
    draft = Draft(findings)
    lines = parse(schema, read_table(source, findings, form=".jsonl"), findings)
    for line, place in zip(lines.records, lines.places, strict=True):
        read_line(draft, line, place)
    return draft.finish(partial=lines.partial, on_duplicate=on_duplicate)
