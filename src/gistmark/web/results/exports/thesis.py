"""The CSV file that the thesis' tool for annotating summaries exports: a row per judgement.

Ranpara's thesis on evaluation metrics for summarisation; the released data of two reviewers side
by side are another file, which the corpus format `emfos` reads and writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gistmark.corpus import Corpus
from gistmark.corpus.files.tables import Table, dump_csv
from gistmark.corpus.formats.datasets.emfos import DIMENSIONS
from gistmark.judgements import Protocol
from gistmark.judgements.tasks.items import titles
from gistmark.runtime.files import write_text
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.outcomes import ordinary
from gistmark.web.results.exports.formats import ExportFormat, judgement_files
from gistmark.web.results.exports.material import Material

COLUMNS = ("summaryID", "candidate", "gold", "title", *DIMENSIONS, "done", "annotator")


class Thesis(ExportFormat):
    """A row for each summary and annotator: done, with the six measures, or still to be done."""

    name = "thesis"
    label = "CSV of the thesis' annotation tool (EMFoS)"
    suffix = "csv"

    def serves(self, protocol: Protocol) -> bool:
        rated = {each.name for each in protocol.dimensions}
        return judgement_files(protocol) == ("ratings",) and rated == set(DIMENSIONS.values())

    def write(self, material: Material, folder: Path) -> None:
        rows = [*_done(material), *_to_do(material)]
        table = Table({name: [row.get(name) for row in rows] for name in COLUMNS})
        write_text(folder / "summaries.csv", "".join(dump_csv(table)))


def _done(material: Material) -> Iterator[dict[str, object]]:
    columns = {dimension: column for column, dimension in DIMENSIONS.items()}
    rows: dict[tuple[str, str, str], dict[str, object]] = {}
    texts = _Texts(material.corpus)
    for rating in material.corpus.ratings:
        key = (rating.document, rating.system, rating.annotator)
        if key not in rows:
            rows[key] = texts.about(*key[:2]) | {"done": True, "annotator": rating.annotator}
        rows[key][columns[rating.dimension]] = int(rating.value)
    yield from rows.values()


def _to_do(material: Material) -> Iterator[dict[str, object]]:
    texts = _Texts(material.corpus)
    held = Task.objects.filter(ordinary(), campaign=material.campaign, state=Task.State.HELD)
    for task in held.select_related("batch", "annotator").order_by("batch__number", "pk"):
        assert task.annotator is not None, "a held task is somebody's"
        for item in task.batch.read_items():
            about = texts.about(item.document, item.systems[0])
            yield about | {"done": False, "annotator": material.name(task.annotator.username)}


class _Texts:
    """The texts of a corpus by document and system."""

    def __init__(self, corpus: Corpus) -> None:
        self.texts = {(each.document, each.system): each.text for each in corpus.summaries}
        self.gold = {name: golds[0].text for name, golds in corpus.references.items()}
        self.titles = titles(corpus)
        self.one_system = len(corpus.systems) == 1

    def about(self, document: str, system: str) -> dict[str, object]:
        """The columns that say what is rated; the system is named only where there are several."""
        return {
            "summaryID": document if self.one_system else f"{document}/{system}",
            "candidate": self.texts[document, system],
            "gold": self.gold.get(document),
            "title": self.titles.get(document),
        }
