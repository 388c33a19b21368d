"""The summary table as a format: CSV, TSV or Parquet with one row per summary.

A document's text, title and references are written on the first of its rows. Reading is in
`gistmark.corpus.summary_table`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import IO

from gistmark.corpus.bundles import Bundle, bundles, numbered
from gistmark.corpus.columns import Given
from gistmark.corpus.corpus import Corpus
from gistmark.corpus.files import replacing
from gistmark.corpus.losses import (
    JUDGEMENTS,
    left_out,
    lost,
    lost_anonymity,
    lost_document_details,
    lost_reference_names,
    refuse_confusing_names,
)
from gistmark.corpus.summary_table import load_summary_table
from gistmark.corpus.tables import Table, csv, parquet


@dataclass(frozen=True, slots=True)
class SummaryTable:
    """A file with one row per summary; `form` is what it is unless it is called .tsv."""

    name: str
    description: str
    form: str

    def read(
        self, source: Path, *, columns: Given | None = None, system_name: str | None = None
    ) -> Corpus:
        form = self._form(source)
        return load_summary_table(source, form=form, columns=columns, system_name=system_name)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        refuse_confusing_names(corpus)
        form, found = self._form(target), list(bundles(corpus))
        lists = form == ".parquet" and any(len(d.texts) > 1 for d in corpus.documents)
        table = _table(found, lists)
        with replacing(target) as stream:
            _dump(table, form, stream)
        return (
            *left_out(corpus, *JUDGEMENTS),
            *lost_document_details(corpus, titles=False, texts=not lists),
            *lost(sum(bundle.lost_titles for bundle in found), "titles of summaries"),
            *lost_reference_names(numbered(bundle.references) for bundle in found),
            *lost_anonymity(s for bundle in found for s in bundle.references),
            *lost(
                0 if form == ".parquet" else _empty(found),
                "empty texts of documents or of "
                "references and empty titles: an empty cell means that there is none",
            ),
        )

    def _form(self, path: Path) -> str:
        return ".tsv" if self.form == ".csv" and path.suffix.lower() == ".tsv" else self.form


def _table(found: Sequence[Bundle], lists: bool) -> Table:
    numbers = sorted({number for bundle in found for number in numbered(bundle.references)})
    references = ["reference" if number == 1 else f"reference_{number}" for number in numbers]
    names = ["document", "system", "summary", "anonymous", "text", "title", *references]
    rows = [row for bundle in found for row in _rows(bundle, numbers, lists)]
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    needed = {"document", "system", "summary"}
    return Table({n: c for n, c in columns.items() if n in needed or set(c) != {None}})


def _rows(bundle: Bundle, numbers: Sequence[int], lists: bool) -> Iterator[tuple[object, ...]]:
    references = numbered(bundle.references)
    texts = [references[n].text if n in references else None for n in numbers]
    document = bundle.document
    text: object = None
    if document is not None:
        text = document.texts if lists else document.text
    once: tuple[object, ...] = (text, bundle.title, *texts)
    for summary, shared in zip_longest(bundle.summaries, [once]):
        system, written = (summary.system, summary.text) if summary else (None, None)
        anonymous = True if summary and summary.anonymous else None
        yield (bundle.id, system, written, anonymous, *(shared or (None,) * len(once)))


def _dump(table: Table, form: str, stream: IO[bytes]) -> None:
    if form == ".parquet":
        parquet.dump_table(table, stream)
        return
    lines = csv.dump_table(table, separator="\t" if form == ".tsv" else ",")
    stream.writelines(line.encode("utf-8") for line in lines)


def _empty(found: Sequence[Bundle]) -> int:
    return sum(
        (bundle.document is not None and bundle.document.text == "")
        + (bundle.title == "")
        + sum(reference.text == "" for reference in bundle.references)
        for bundle in found
    )


CSV = SummaryTable("csv", "A CSV or TSV file with one row per summary.", ".csv")
PARQUET = SummaryTable("parquet", "A Parquet file with one row per summary.", ".parquet")
