"""SummVis: JSON lines with `document`, `summary:reference` and `summary:SYSTEM`.

Vig, Kryściński, Goel, Rajani: SummVis: Interactive Visual Analysis of Models, Data, and
Evaluation for Text Summarization, 2021. Documents have no ids there; Gistmark numbers them and
writes an `id` where they had other ones. `summary:reference-2` and so on are references too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gistmark.corpus.corpus import Corpus, reference_name, reference_number
from gistmark.corpus.files import jsonl
from gistmark.corpus.files.tables import read_table
from gistmark.corpus.formats.bundles import (
    JUDGEMENTS,
    Bundle,
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
from gistmark.corpus.formats.draft import Draft
from gistmark.errors import Diagnostics, Location
from gistmark.records import Document
from gistmark.runtime.files import write_text

_PREFIX = "summary:"


class SummVis:
    """The input of the SummVis viewer."""

    name = "summvis"
    description = "SummVis JSON lines with the document and summary:SYSTEM fields."

    def read(self, source: Path) -> Corpus:
        diagnostics = Diagnostics()
        draft = Draft(diagnostics)
        table = read_table(source, diagnostics, form=".jsonl")
        for name in table.columns:
            if name not in ("id", "document") and not name.startswith(_PREFIX):
                diagnostics.note(
                    f"The field {name!r} is unknown and was left out.", table.locations[0]
                )
        for number, (location, row) in enumerate(table.rows(), start=1):
            _read_row(draft, location, {"id": str(number), **row})
        return draft.finish(partial=table.partial)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        refuse_confusing_names(corpus)
        bundled = list(bundles(corpus))
        bundles_with_text = [
            (bundle, bundle.document) for bundle in bundled if bundle.document is not None
        ]
        rows = (
            _row(b, document, number)
            for number, (b, document) in enumerate(bundles_with_text, start=1)
        )
        write_text(target, "".join(jsonl.dump_lines(rows)))
        return (
            *left_out(corpus, *JUDGEMENTS),
            *lost(len(bundled) - len(bundles_with_text), "documents whose text is not known"),
            *lost_document_details(corpus),
            *lost_titles(corpus),
            *lost_anonymity(corpus.summaries),
            *lost_reference_names(numbered(bundle.references) for bundle, _ in bundles_with_text),
        )


def _read_row(draft: Draft, location: Location, row: Mapping[str, object]) -> None:
    id = row["id"]
    draft.add("documents", location, id=id, text=row.get("document"))
    for name, text in row.items():
        if name.startswith(_PREFIX):
            system = name.removeprefix(_PREFIX)
            reference = reference_number(system) is not None
            values = {"system": system, "text": text, "reference": reference}
            draft.add("summaries", location, document=id, **values)


def _row(bundle: Bundle, document: Document, number: int) -> dict[str, object]:
    row: dict[str, object] = {"document": document.text}
    if bundle.id != str(number):
        row["id"] = bundle.id
    for index, reference in numbered(bundle.references).items():
        row[_PREFIX + reference_name(index)] = reference.text
    for summary in bundle.summaries:
        row[_PREFIX + summary.system] = summary.text
    return row


FORMAT = SummVis()
