"""RoSE: summaries with atomic content units (ACU), and the scores of other protocols.

Liu, Fabbri, Liu, Zhao, Nan, Han, Han, Joty, Wu, Xiong, Radev: Revisiting the Gold Standard:
Grounding Summarization Evaluation with Robust Human Evaluation, ACL 2023. JSON lines (or Parquet),
one per document, as `Salesforce/rose` on Hugging Face has them:

    {"example_id", "count_id", "source", "reference", "reference_acus": ["…"],
     "system_outputs": {"brio": "…"},
     "annotations": {"brio": {"acu": 0.375, "normalized_acu": 0.338, "acu_labels": [1, 0, …]}}}

The protocols `prior`, `ref_free` and `ref_based` may stand beside `acu`. Every value is one for all
annotators of a summary. The system `gold` is a summariser of that name, not the reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import TEXT, Field, Kind, Name, NamedTexts, WrongValueError, describe
from gistmark.corpus.files.tables import read_table
from gistmark.corpus.formats.draft import AGGREGATE, Draft
from gistmark.corpus.schemas.checks import OnDuplicate
from gistmark.corpus.schemas.schema import Schema, parse
from gistmark.errors import Diagnostics, Location

_ID = Name()  # not NAME itself, for which numbers that become text are noted
DIMENSIONS = ("acu", "normalized_acu", "prior", "ref_free", "ref_based")
_LABELS = "acu_labels"


class _Units(Kind):
    expected = "a list of texts"

    def value(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self.wrong(value)
        return tuple(map(TEXT.value, value))


class _Outputs(NamedTexts):
    """Parquet gives every system to every document, None where it wrote nothing."""

    def value(self, value: object) -> dict[str, str]:
        return super().value(_without_none(value))


class _Annotations(Kind):
    expected = "an object of systems and their annotations"

    def value(self, value: object) -> dict[str, dict[str, object]]:
        value = _without_none(value)
        if not isinstance(value, dict):
            raise self.wrong(value)
        for system, annotation in value.items():
            if not isinstance(annotation, dict):
                raise WrongValueError(
                    f"must hold objects, but that of {system!r} is {describe(annotation)}"
                )
        return {system: _without_none(annotation) for system, annotation in value.items()}


@dataclass(frozen=True, slots=True)
class _Line:
    example_id: str | None
    count_id: str | None
    source: str | None
    reference: str | None
    units: tuple[str, ...]
    outputs: Mapping[str, str]
    model_outputs: Mapping[str, str]
    annotations: Mapping[str, Mapping[str, object]]


_LINES = Schema(
    "lines",
    "line",
    _Line,
    (
        Field("example_id", _ID, required=False),
        Field("count_id", _ID, required=False),
        Field("source", TEXT, required=False),
        Field("reference", TEXT, required=False),
        Field("reference_acus", _Units(), required=False, default=()),
        Field("system_outputs", _Outputs(), required=False, default={}),
        Field("model_outputs", _Outputs(), required=False, default={}),
        Field("annotations", _Annotations(), required=False, default={}),
    ),
)


class Rose:
    """The released annotations of RoSE, and data in the same form."""

    name = "rose"
    description = "RoSE's JSON lines or Parquet: summaries with ACU scores."

    def read(self, source: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        diagnostics = Diagnostics()
        form = ".parquet" if source.suffix.lower() == ".parquet" else ".jsonl"
        lines = parse(_LINES, read_table(source, diagnostics, form=form), diagnostics)
        reading = _Reading(Draft(diagnostics))
        for number, (line, location) in enumerate(
            zip(lines.records, lines.locations, strict=True), 1
        ):
            reading.add(line, location, line.example_id or line.count_id or str(number))
        reading.add_notes((str(source), None))
        return reading.draft.finish(partial=lines.partial, on_duplicate=on_duplicate)


class _Reading:
    """Puts the lines of a file into a draft, and counts what is left out."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._units = self._labels = 0
        self._counts: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()

    def add(self, line: _Line, location: Location, id: str) -> None:
        if line.source is not None:
            self.draft.add("documents", location, id=id, text=line.source)
        if line.reference is not None:
            self.draft.reference(location, id, 1, line.reference)
        self._units += len(line.units)
        for system, text in {**line.model_outputs, **line.outputs}.items():
            self.draft.summary(location, id, system, text)
        for system, annotation in line.annotations.items():
            self._add_annotation(location, id, system, annotation)

    def _add_annotation(
        self, location: Location, id: str, system: str, annotation: Mapping[str, object]
    ) -> None:
        for name, value in annotation.items():
            if name == _LABELS and isinstance(value, list):
                self._labels += len(value)
            elif name in DIMENSIONS:
                self._counts[name] += 1
                self.draft.add(
                    "ratings",
                    location,
                    document=id,
                    system=system,
                    annotator=AGGREGATE,
                    dimension=name,
                    value=value,
                )
            else:
                self._unknown[name] += 1

    def add_notes(self, location: Location) -> None:
        note = self.draft.diagnostics.note
        if self._counts:
            note(
                f"{', '.join(sorted(self._counts))}: one value per summary, so the annotator is "
                f"called {AGGREGATE!r}; the file does not say how far people agreed.",
                location,
            )
        if self._units or self._labels:
            note(
                f"{self._units:,} content units (reference_acus) and {self._labels:,} labels "
                f"({_LABELS}) were left out.",
                location,
            )
        for name, count in sorted(self._unknown.items()):
            times = f" ({count:,} times)" if count > 1 else ""
            note(f"The annotation {name!r} is unknown and was left out{times}.", location)


def _without_none(value: object) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: item for name, item in value.items() if item is not None}


FORMAT = Rose()
