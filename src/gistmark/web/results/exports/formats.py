"""Export formats: what one is, and those that write a corpus, its judgements or consents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar, Literal

from gistmark.corpus import Corpus, save
from gistmark.corpus.files import jsonl
from gistmark.corpus.files.tables import Table, csv_lines, dump_csv
from gistmark.corpus.formats import FORMATS as CORPUS_FORMATS
from gistmark.corpus.formats import Writer
from gistmark.corpus.formats.datasets.emfos import DIMENSIONS
from gistmark.corpus.schemas.records import SCHEMAS
from gistmark.corpus.schemas.schema import RecordWriter, write_records
from gistmark.errors import unknown_name
from gistmark.judgements.answers import by_kind
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks.items import titles
from gistmark.runtime.files import write_lines, write_text
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.outcomes import ordinary
from gistmark.web.campaigns.services.consents import CONSENT_COLUMNS, consent_rows
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import ConflictError
from gistmark.web.results.adjudication import adjudication_rows
from gistmark.web.results.catalogue import EXPORTS
from gistmark.web.results.exports.material import CHUNK, Material, comment_rows, work_rows
from gistmark.web.results.merging import merged_rows

_SCHEMAS = {schema.name: schema for schema in SCHEMAS}
_LINES = tuple(schema.stem for schema in SCHEMAS if not schema.tabular)
"""Those that are JSON lines, and nothing else."""
_WORK = (
    "slot",
    "annotator",
    "state",
    "outcome",
    "verdict",
    "received",
    "seconds",
    "reasons",
    "kind",
)
_THESIS = ("summaryID", "candidate", "gold", "title", *DIMENSIONS, "done", "annotator")


def judgement_files(protocol: Protocol) -> tuple[str, ...]:
    """The files of a corpus folder that the answers of a protocol go to, without their endings."""
    return tuple(_SCHEMAS[table].stem for table in protocol.question_type.tables(protocol))


class ExportFormat(ABC):
    """A format of the export; `suffix` is how its file ends, `zip` for several files."""

    name: ClassVar[str]
    label: ClassVar[str]
    suffix: ClassVar[str]

    def serves(self, protocol: Protocol) -> bool:
        """Whether the work of a campaign with this protocol can be written in this format."""
        return True

    @abstractmethod
    def write(self, material: Material, folder: Path) -> None:
        """Write the work that counts into an empty folder."""


def export_format(name: str) -> ExportFormat:
    """The format of this name."""
    if name not in EXPORTS:
        raise unknown_name("format of export", name, list(EXPORTS))
    module, _, attribute = EXPORTS[name].partition(":")
    chosen: ExportFormat = getattr(import_module(module), attribute)()
    return chosen


def formats_for(protocol: Protocol) -> list[ExportFormat]:
    """The formats that can hold the work of a campaign with this protocol."""
    return [each for each in map(export_format, EXPORTS) if each.serves(protocol)]


def demand_served(chosen: ExportFormat, protocol: Protocol) -> None:
    """Refuse a format that cannot hold the work of a campaign with this protocol."""
    if not chosen.serves(protocol):
        names = ", ".join(each.name for each in formats_for(protocol))
        raise ConflictError(
            f"The format {chosen.name!r} cannot hold what annotators do in the protocol "
            f"{protocol.name!r}; those that can are {names}."
        )


class Folder(ExportFormat):
    """The corpus with its judgements, a list of all work, and what annotators said about it."""

    name = "folder"
    label = "Corpus folder, as gistmark study reads it"
    suffix = "zip"

    def write(self, material: Material, folder: Path) -> None:
        _save(material, folder)
        work = ([row[name] for name in _WORK] for row in work_rows(material))
        write_lines(folder / "work.csv", csv_lines(_WORK, work, guarded=True))
        _write_comments(material, folder)
        _write_adjudications(material, folder)
        if merged := list(merged_rows(material.campaign)):
            write_text(folder / "merged-units.jsonl", "".join(jsonl.dump_lines(merged)))


def _save(material: Material, folder: Path) -> None:
    """Write the corpus folder; judgements are written as they come, and not held in memory."""
    protocol = protocol_of(material.campaign)
    tables = protocol.question_type.tables(protocol)
    nothing: dict[str, Any] = dict.fromkeys(tables, ())
    given = material.given
    save(replace(given, **nothing), folder)
    with ExitStack() as writers:
        open_writers = {name: RecordWriter(_SCHEMAS[name]) for name in tables}
        for name, writer in open_writers.items():
            writers.callback(writer.close)
            writer.add(getattr(given, name))
        remaining = material.records()
        while records := list(islice(remaining, CHUNK)):
            for name, some in by_kind(records).items():
                if some:
                    open_writers[name].add(some)
        for name, writer in open_writers.items():
            if writer.count:
                schema = _SCHEMAS[name]
                form = "csv" if schema.tabular else "jsonl"
                writer.write_to(folder / f"{schema.stem}.{form}", form=form)


def _write_comments(material: Material, folder: Path) -> None:
    rows = comment_rows(material)
    first = next(rows, None)
    if first is not None:
        lines = csv_lines(first, (list(row.values()) for row in chain([first], rows)), guarded=True)
        write_lines(folder / "comments.csv", lines)


def _write_adjudications(material: Material, folder: Path) -> None:
    """What was decided about disputed items: `adjudications.csv`, or `.jsonl` for highlights."""
    rows = list(adjudication_rows(material.campaign, material.names))
    if rows and "highlights" in rows[0]:
        write_text(folder / "adjudications.jsonl", "".join(jsonl.dump_lines(rows)))
    elif rows:
        names = dict.fromkeys(name for row in rows for name in row)
        table = Table({name: [row.get(name) for row in rows] for name in names})
        write_text(folder / "adjudications.csv", "".join(dump_csv(table, guarded=True)))


class _JudgementTable(ExportFormat):
    """The judgements alone, as one table."""

    form: ClassVar[Literal["csv", "jsonl", "parquet"]]

    def serves(self, protocol: Protocol) -> bool:
        """Only where all that annotators answer fits into one table of this form."""
        files = judgement_files(protocol)
        return len(files) == 1 and (self.form == "jsonl" or files[0] not in _LINES)

    def write(self, material: Material, folder: Path) -> None:
        protocol = protocol_of(material.campaign)
        (table,), (file,) = protocol.question_type.tables(protocol), judgement_files(protocol)
        records = chain(getattr(material.given, table), material.records())
        schema = _SCHEMAS[table]
        if not write_records(schema, records, folder / f"{file}.{self.form}", form=self.form):
            raise ConflictError(f"There are no {file} to export: no work has been accepted yet.")


class Csv(_JudgementTable):
    """Judgements as CSV."""

    name = suffix = form = "csv"
    label = "Judgements as CSV"


class JsonLines(_JudgementTable):
    """Judgements as JSON lines."""

    name = suffix = form = "jsonl"
    label = "Judgements as JSON lines"


class Parquet(_JudgementTable):
    """Judgements as Parquet."""

    name = suffix = form = "parquet"
    label = "Judgements as Parquet"


class HighRes(ExportFormat):
    """The data folder of the original HighRES tool."""

    name = "highres"
    label = "Data folder of the original HighRES tool"
    suffix = "zip"

    def serves(self, protocol: Protocol) -> bool:
        """It has room for highlights, but for no ratings and comparisons."""
        return judgement_files(protocol) == ("highlights",)

    def write(self, material: Material, folder: Path) -> None:
        writer = CORPUS_FORMATS.get("highres")
        assert isinstance(writer, Writer), "the format can be written"
        losses = writer.write(material.corpus, folder)
        if losses:
            write_text(folder / "left-out.txt", "".join(f"{sentence}\n" for sentence in losses))


class Consents(ExportFormat):
    """A row for each consent; the text and its hash are empty where they are not known."""

    name = "consents"
    label = "Consents: who agreed to which text"
    suffix = "csv"

    def write(self, material: Material, folder: Path) -> None:
        rows = consent_rows(material.campaign, material.names)
        table = Table({name: [row[name] for row in rows] for name in CONSENT_COLUMNS})
        write_text(folder / "consents.csv", "".join(dump_csv(table, guarded=True)))


class Thesis(ExportFormat):
    """A row for each summary and annotator: done, with the six measures, or still to be done.

    It is what the annotation tool of Ranpara's thesis on evaluation metrics for summarisation
    exports. The released data of two reviewers side by side are another file, which the corpus
    format `emfos` reads and writes.
    """

    name = "thesis"
    label = "CSV of the thesis' annotation tool (EMFoS)"
    suffix = "csv"

    def serves(self, protocol: Protocol) -> bool:
        rated = {each.name for each in protocol.dimensions}
        return judgement_files(protocol) == ("ratings",) and rated == set(DIMENSIONS.values())

    def write(self, material: Material, folder: Path) -> None:
        rows = [*_judged(material), *_to_judge(material)]
        table = Table({name: [row.get(name) for row in rows] for name in _THESIS})
        write_text(folder / "summaries.csv", "".join(dump_csv(table)))


def _judged(material: Material) -> Iterator[dict[str, object]]:
    columns = {dimension: column for column, dimension in DIMENSIONS.items()}
    rows: dict[tuple[str, str, str], dict[str, object]] = {}
    texts = _Texts(material.corpus)
    for rating in material.corpus.ratings:
        key = (rating.document, rating.system, rating.annotator)
        if key not in rows:
            rows[key] = texts.about(*key[:2]) | {"done": True, "annotator": rating.annotator}
        rows[key][columns[rating.dimension]] = int(rating.value)
    yield from rows.values()


def _to_judge(material: Material) -> Iterator[dict[str, object]]:
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
