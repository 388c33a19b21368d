"""The formats of an export, and writing one to a file or a response."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.http import FileResponse
from django.utils.text import slugify

from gistmark.corpus import Corpus, jsonl, save
from gistmark.corpus.formats import FORMATS as CORPUS_FORMATS
from gistmark.corpus.formats import Writer
from gistmark.corpus.formats.emfos import DIMENSIONS
from gistmark.corpus.tables import Table, dump_csv
from gistmark.errors import UsageError, unknown_name
from gistmark.files import write_text
from gistmark.judgements.items import titles
from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import protocol_of
from gistmark.web.config.errors import ConflictError
from gistmark.web.results.exports.material import (
    Material,
    material_for,
    rejected_rows,
    work_rows,
)

_TABLES = {"rating": "ratings", "comparison": "comparisons", "highlight": "highlights"}
_WORK = ("slot", "annotator", "state", "received", "seconds", "reasons")


@dataclass(frozen=True, slots=True)
class Format:
    """A form of the export: its name, its file's ending, and a sentence about it."""

    name: str
    suffix: str
    about: str
    write: Callable[[Material, Path], None]


def export_to(
    campaign: Campaign, format: str, target: Path, *, names: bool = False, rejected: bool = False
) -> None:
    """Write the work that counts to a file.

    `names` keeps the annotators' names, `rejected` adds the work that does not count as
    `rejected.jsonl`. Several files come as a ZIP archive (`suggested_name` ends accordingly).
    """
    chosen = find_format(format)
    material = material_for(campaign, names=names)
    with TemporaryDirectory(prefix="gistmark-export-") as temporary:
        folder = Path(temporary) / "export"
        folder.mkdir()
        chosen.write(material, folder)
        if rejected:
            _write_lines(folder / "rejected.jsonl", rejected_rows(material))
        _bring(folder, target, packed=_is_packed(chosen, rejected))


def suggested_name(campaign: Campaign, format: str, *, rejected: bool = False) -> str:
    """A name for the file of an export."""
    chosen = find_format(format)
    suffix = "zip" if _is_packed(chosen, rejected) else chosen.suffix
    return f"{file_stem(campaign)}-{chosen.name}.{suffix}"


def file_stem(campaign: Campaign) -> str:
    """How names of files begin: in plain letters, whatever the campaign is called."""
    return f"{slugify(campaign.name)[:60] or 'campaign'}-{campaign.key}"


def find_format(name: str) -> Format:
    """The format of this name."""
    if name not in FORMATS:
        raise unknown_name("format of export", name, list(FORMATS))
    return FORMATS[name]


def _is_packed(chosen: Format, rejected: bool) -> bool:
    return rejected or chosen.suffix == "zip"


def _bring(folder: Path, target: Path, *, packed: bool) -> None:
    """Move the only file of the folder to its place, or pack all of them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not packed:
        (only,) = files
        target.write_bytes(only.read_bytes())
        return
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, str(path.relative_to(folder)))


def _write_folder(material: Material, folder: Path) -> None:
    save(material.corpus, folder)
    rows = work_rows(material)
    table = Table({name: [row[name] for row in rows] for name in _WORK})
    write_text(folder / "work.csv", "".join(dump_csv(table)))


def _write_table(form: Any) -> Callable[[Material, Path], None]:
    """The judgements alone, as one table."""

    def write(material: Material, folder: Path) -> None:
        table = _TABLES[material.campaign.protocol["kind"]]
        if not getattr(material.corpus, table):
            raise ConflictError(f"There are no {table} to export: no work has been accepted yet.")
        with TemporaryDirectory(prefix="gistmark-table-") as temporary:
            save(material.corpus, temporary, tables=form)
            name = f"{table}.{form}"
            (folder / name).write_bytes((Path(temporary) / name).read_bytes())

    return write


def _write_highres(material: Material, folder: Path) -> None:
    writer = CORPUS_FORMATS.get("highres")
    assert isinstance(writer, Writer), "the format can be written"
    losses = writer.write(material.corpus, folder)
    if losses:
        write_text(folder / "left-out.txt", "".join(f"{sentence}\n" for sentence in losses))


def _write_thesis(material: Material, folder: Path) -> None:
    write_text(folder / "summaries.csv", thesis_table(material))


def _write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    write_text(path, "".join(jsonl.dump_lines(rows)))


FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format("folder", "zip", "Corpus folder, as gistmark study reads it", _write_folder),
        Format("csv", "csv", "Judgements as CSV", _write_table("csv")),
        Format("jsonl", "jsonl", "Judgements as JSON lines", _write_table("jsonl")),
        Format("parquet", "parquet", "Judgements as Parquet", _write_table("parquet")),
        Format("highres", "zip", "Data folder of the original HighRES tool", _write_highres),
        Format("thesis", "csv", "CSV of the thesis' annotation tool (EMFoS)", _write_thesis),
    )
}


def download(campaign: Campaign, format: str, *, names: bool, rejected: bool) -> FileResponse:
    """A response that streams the export; its file has no name on disk any more by then."""
    with TemporaryDirectory(prefix="gistmark-download-") as temporary:
        target = Path(temporary) / "export"
        export_to(campaign, format, target, names=names, rejected=rejected)
        stream = target.open("rb")
    return FileResponse(
        stream,
        as_attachment=True,
        filename=suggested_name(campaign, format, rejected=rejected),
        content_type="application/octet-stream",
    )


COLUMNS = ("summaryID", "candidate", "gold", "title", *DIMENSIONS, "done", "annotator")


def thesis_table(material: Material) -> str:
    """A row for each summary and annotator: done, with the six measures, or still to be done."""
    _demand_measures(material)
    rows = [*_done(material), *_to_do(material)]
    table = Table({name: [row.get(name) for row in rows] for name in COLUMNS})
    return "".join(dump_csv(table))


def _demand_measures(material: Material) -> None:
    protocol = protocol_of(material.campaign)
    rated = {each.name for each in protocol.dimensions}
    if protocol.kind != "rating" or rated != set(DIMENSIONS.values()):
        raise UsageError(
            "The thesis tool's file holds ratings of "
            f"{', '.join(DIMENSIONS.values())}, and nothing else; this campaign's protocol is "
            f"{protocol.name!r}."
        )


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
    held = Task.objects.filter(campaign=material.campaign, state=Task.State.HELD)
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
