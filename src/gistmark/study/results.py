"""`Study`: everything that was found out, as flat records, and `study.json`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmark.study.records import Agreement, Correlation, Difference, HumanScore, Note, Rank

if TYPE_CHECKING:
    import pandas
    import polars


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a metric whose scores were studied."""

    metric: str
    signature: str


@dataclass(frozen=True, repr=False)
class Study:
    """The records of a study, kind by kind; `study.json` has the same keys and numbers.

    `methods` says in words what was computed.
    """

    agreement: tuple[Agreement, ...] = ()
    correlation: tuple[Correlation, ...] = ()
    differences: tuple[Difference, ...] = ()
    ranking: tuple[Rank, ...] = ()
    human_scores: tuple[HumanScore, ...] = ()
    annotators: tuple[Any, ...] = ()
    notes: tuple[Note, ...] = ()
    signatures: tuple[Signature, ...] = ()
    methods: str = ""

    def records(self) -> dict[str, list[dict[str, Any]]]:
        """All records as plain dictionaries, by kind."""
        kinds = [field.name for field in fields(self) if field.name != "methods"]
        return {kind: [_plain(record) for record in getattr(self, kind)] for kind in kinds}

    def to_json(self) -> str:
        """What `study.json` holds."""
        content = {**self.records(), "methods": self.methods}
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def write(self, folder: str | Path) -> Path:
        """Write `study.json` into a folder and return its path."""
        path = Path(folder) / "study.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.to_json(), encoding="utf-8", errors="backslashreplace")
        return path

    def to_pandas(self, kind: str = "correlation") -> pandas.DataFrame:
        """One kind of record as a pandas frame."""
        import pandas

        return pandas.DataFrame(self.records()[kind])

    def to_polars(self, kind: str = "correlation") -> polars.DataFrame:
        """One kind of record as a polars frame."""
        from gistmark.errors import MissingExtraError

        try:
            import polars
        except ImportError:
            raise MissingExtraError("polars") from None
        return polars.DataFrame(self.records()[kind], infer_schema_length=None)

    def __repr__(self) -> str:
        counts = {kind: len(records) for kind, records in self.records().items() if records}
        return f"<Study {', '.join(f'{kind}={count}' for kind, count in counts.items())}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{kind}</th><td>{len(records)}</td></tr>"
            for kind, records in self.records().items()
        )
        return f"<table><caption>Study</caption>{rows}</table>"


def best_metrics(study: Study, human: str, coefficient: str = "spearman") -> Sequence[Correlation]:
    """The global correlations of metrics with one human score, strongest first."""
    found = [
        record
        for record in study.correlation
        if (record.human, record.coefficient, record.level) == (human, coefficient, "global")
        and record.value is not None
        and record.part != "dimension"
        and not record.given
        and not record.subset
    ]
    return sorted(found, key=lambda record: -abs(record.value or 0.0))


def _plain(record: Any) -> dict[str, Any]:
    """A record as a dictionary; a number that is not finite is None."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in asdict(record).items()
    }
