"""The single file: one JSON line per document, with its references and summaries inside.

    {"id": "a", "text": "…", "references": ["…"], "summaries": {"lead": "…"}, "title": "…"}

`texts` stands in place of `text` for several texts. References may also be an object of names
and texts. A line without a text gives no document; its title then belongs to its summaries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gistmark.corpus.bundles import Bundle, bundles
from gistmark.corpus.corpus import Corpus
from gistmark.corpus.draft import Draft
from gistmark.corpus.fields import NAME, TEXT, TEXTS, Field, Kind, WrongValueError
from gistmark.corpus.files import write_text
from gistmark.corpus.findings import Findings
from gistmark.corpus.losses import JUDGEMENTS, left_out, lost
from gistmark.corpus.names import reference_name
from gistmark.corpus.parsing import parse
from gistmark.corpus.schemas import Schema
from gistmark.corpus.tables import jsonl
from gistmark.corpus.tables.reading import read_table


class _NamedTexts(Kind):
    expected = "an object of names and texts"

    def value(self, value: object) -> dict[str, str]:
        if not isinstance(value, dict):
            raise self.wrong(value)
        return {_name_of(name): _text_of(name, text) for name, text in value.items()}


class _References(_NamedTexts):
    expected = "a list of texts, or an object of names and texts"

    def value(self, value: object) -> dict[str, str]:
        if isinstance(value, list):
            numbered = enumerate(value, start=1)
            value = {reference_name(number): text for number, text in numbered}
        return super().value(value)


@dataclass(frozen=True, slots=True)
class _Line:
    id: str
    text: str | None
    texts: tuple[str, ...] | None
    title: str | None
    lang: str | None
    references: Mapping[str, str]
    summaries: Mapping[str, str]


_LINES = Schema(
    "lines",
    "line",
    _Line,
    (
        Field("id", NAME),
        Field("text", TEXT, required=False),
        Field("texts", TEXTS, required=False),
        Field("title", TEXT, required=False),
        Field("lang", TEXT, required=False),
        Field("references", _References(), required=False, default={}),
        Field("summaries", _NamedTexts(), required=False, default={}),
    ),
)


def load_single_file(path: Path) -> Corpus:
    """Read a single-file corpus and check it."""
    findings = Findings()
    lines = parse(_LINES, read_table(path, findings, form=".jsonl"), findings)
    draft = Draft(findings)
    for line, place in zip(lines.records, lines.places, strict=True):
        has_text = line.text is not None or line.texts is not None
        if line.lang is not None and not has_text:
            findings.note("The field 'lang' was left out: there is no text.", place)
        if has_text:
            values = {name: getattr(line, name) for name in ("text", "texts", "title", "lang")}
            draft.add("documents", place, id=line.id, **values)
        title = None if has_text else line.title
        for texts, reference in ((line.references, True), (line.summaries, False)):
            for system, summary in texts.items():
                draft.summary(place, line.id, system, summary, title=title, reference=reference)
    return draft.finish(partial=lines.partial)


def write_single_file(corpus: Corpus, path: Path) -> tuple[str, ...]:
    """Write a single-file corpus; say what it cannot hold."""
    found = list(bundles(corpus))
    write_text(path, "".join(jsonl.dump_lines(map(_row, found))))
    titles = sum(bundle.lost_titles for bundle in found)
    return (*left_out(corpus, *JUDGEMENTS), *lost(titles, "titles of summaries"))


def _row(bundle: Bundle) -> dict[str, object]:
    row: dict[str, object] = {"id": bundle.id}
    if bundle.title is not None:
        row["title"] = bundle.title
    if bundle.document is not None:
        if bundle.document.lang is not None:
            row["lang"] = bundle.document.lang
        texts = bundle.document.texts
        row |= {"text": texts[0]} if len(texts) == 1 else {"texts": texts}
    references = {reference.system: reference.text for reference in bundle.references}
    numbered = [reference_name(number) for number in range(1, len(references) + 1)]
    if references:
        plain = list(references) == numbered
        row["references"] = list(references.values()) if plain else references
    if bundle.summaries:
        row["summaries"] = {summary.system: summary.text for summary in bundle.summaries}
    return row


def _name_of(name: str) -> str:
    try:
        return NAME.value(name)
    except WrongValueError as error:
        raise WrongValueError(f"has a name that {error}") from None


def _text_of(name: str, text: object) -> str:
    try:
        return TEXT.value(text)
    except WrongValueError as error:
        raise WrongValueError(f"is wrong for {name!r}: it {error}") from None
