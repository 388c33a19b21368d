"""`Study`: the records of a study, `study.json`, and how a study looks in a notebook."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmark.analysis.agreement.machine_highlights import HighlightMatch, HighlightRanking
from gistmark.analysis.agreement.machines import JudgeTest, MachineAgreement
from gistmark.analysis.confidence.documents import DocumentTest, HardDocument
from gistmark.analysis.confidence.halves import ConfidenceAgreement
from gistmark.analysis.confidence.means import ConfidenceMean
from gistmark.analysis.correlation.system_pairs import CloseSystems, GapAgreement
from gistmark.analysis.findings.headline import leading_ranking
from gistmark.analysis.findings.words import show_number
from gistmark.analysis.human.modes import Mode, ModeDifference
from gistmark.analysis.human.questions import OptionShare, QuestionSummary, TextAnswer
from gistmark.analysis.human.scores import Preference
from gistmark.analysis.human.sets import SetScore
from gistmark.analysis.learning.contributions import Contribution
from gistmark.analysis.prediction_powered import Powered
from gistmark.analysis.ranking.letters import show_letters
from gistmark.analysis.ranking.stopping import SequentialPair
from gistmark.analysis.studies.records import (
    Accuracy,
    AccuracyDifference,
    Agreement,
    ChoiceFit,
    Correlation,
    Difference,
    ErrorCount,
    Finding,
    Headline,
    HumanScore,
    LengthEffect,
    Measure,
    MetricSplit,
    Note,
    Pair,
    Rank,
    RatingBin,
    Spread,
    Strength,
    SystemMean,
)
from gistmark.analysis.variance.components import Contrast, Reliability, VarianceComponent
from gistmark.errors import unknown_name
from gistmark.runtime.files import write_text

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

    findings: tuple[Finding, ...] = ()
    headline: tuple[Headline, ...] = ()
    agreement: tuple[Agreement, ...] = ()
    correlation: tuple[Correlation, ...] = ()
    differences: tuple[Difference, ...] = ()
    ranking: tuple[Rank, ...] = ()
    pairs: tuple[Pair, ...] = ()
    length_effects: tuple[LengthEffect, ...] = ()
    human_scores: tuple[HumanScore, ...] = ()
    annotators: tuple[Any, ...] = ()
    notes: tuple[Note, ...] = ()
    signatures: tuple[Signature, ...] = ()
    measures: tuple[Measure, ...] = ()
    strengths: tuple[Strength, ...] = ()
    system_means: tuple[SystemMean, ...] = ()
    histograms: tuple[RatingBin, ...] = ()
    spreads: tuple[Spread, ...] = ()
    metric_splits: tuple[MetricSplit, ...] = ()
    errors: tuple[ErrorCount, ...] = ()
    preferences: tuple[Preference, ...] = ()
    accuracy: tuple[Accuracy, ...] = ()
    accuracy_differences: tuple[AccuracyDifference, ...] = ()
    gaps: tuple[GapAgreement, ...] = ()
    close_systems: tuple[CloseSystems, ...] = ()
    judges: tuple[JudgeTest, ...] = ()
    machines: tuple[MachineAgreement, ...] = ()
    powered: tuple[Powered, ...] = ()
    sequential: tuple[SequentialPair, ...] = ()
    variance: tuple[VarianceComponent, ...] = ()
    reliability: tuple[Reliability, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    questions: tuple[QuestionSummary, ...] = ()
    options: tuple[OptionShare, ...] = ()
    texts: tuple[TextAnswer, ...] = ()
    sets: tuple[SetScore, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    fits: tuple[ChoiceFit, ...] = ()
    highlight_matches: tuple[HighlightMatch, ...] = ()
    highlight_rankings: tuple[HighlightRanking, ...] = ()
    confidence: tuple[ConfidenceMean, ...] = ()
    confidence_agreement: tuple[ConfidenceAgreement, ...] = ()
    hard_documents: tuple[HardDocument, ...] = ()
    document_tests: tuple[DocumentTest, ...] = ()
    modes: tuple[Mode, ...] = ()
    mode_differences: tuple[ModeDifference, ...] = ()
    methods: str = ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of record that a study has, each with its attribute and key."""
        return tuple(field.name for field in fields(self) if field.name != "methods")

    def records(self, kind: str | None = None) -> dict[str, list[dict[str, Any]]]:
        """All records as plain dictionaries, by kind; or those of one kind."""
        if kind is not None and kind not in self.kinds:
            raise unknown_name("kind of record", kind, self.kinds)
        kinds = self.kinds if kind is None else (kind,)
        return {kind: [_plain(record) for record in getattr(self, kind)] for kind in kinds}

    def to_json(self) -> str:
        """What `study.json` holds: a record per line."""
        lines = [f'"methods": {_json(self.methods)}']
        for kind, records in self.records().items():
            rows = ",\n  ".join(map(_json, records))
            lines.append(f'"{kind}": [\n  {rows}\n ]' if rows else f'"{kind}": []')
        return "{\n " + ",\n ".join((*lines[1:], lines[0])) + "\n}\n"

    def write(self, folder: str | Path) -> Path:
        """Write `study.json` into a folder and return its path."""
        path = Path(folder) / "study.json"
        return write_text(path, self.to_json(), errors="backslashreplace")

    def to_pandas(self, kind: str = "correlation") -> pandas.DataFrame:
        """One kind of record as a pandas frame, with the same names as in `study.json`."""
        import pandas

        return pandas.DataFrame(self.records(kind)[kind], columns=_columns(self, kind))

    def to_polars(self, kind: str = "correlation") -> polars.DataFrame:
        """One kind of record as a polars frame, with the same names as in `study.json`."""
        from gistmark.errors import MissingExtraError

        records = self.records(kind)[kind]
        try:
            import polars
        except ImportError:
            raise MissingExtraError("polars") from None
        schema = None if records else _columns(self, kind)
        return polars.DataFrame(records, schema=schema, infer_schema_length=None)

    def __repr__(self) -> str:
        counts = ", ".join(f"{kind}={len(getattr(self, kind)):,}" for kind in self.kinds)
        lines = [f"- {finding.text}" for finding in self.findings]
        return "\n".join([f"<Study {counts}>", *lines])

    def _repr_html_(self) -> str:

        return study_html(self)


def _plain(record: Any) -> dict[str, Any]:
    """A record as a dictionary; a number that is not finite is None."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    if not all(value is None or isinstance(value, str | int | float) for value in values.values()):
        values = asdict(record)  # which takes ten times as long, as it copies what is in a field
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }


def _columns(study: Study, kind: str) -> list[str] | None:
    """The names of the fields of a kind of record, also where there is no record."""
    records = getattr(study, kind)
    if records or kind not in _KINDS:
        return None
    return [field.name for field in fields(_KINDS[kind])]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


_KINDS: dict[str, type] = {
    "findings": Finding,
    "headline": Headline,
    "agreement": Agreement,
    "correlation": Correlation,
    "differences": Difference,
    "ranking": Rank,
    "pairs": Pair,
    "length_effects": LengthEffect,
    "human_scores": HumanScore,
    "notes": Note,
    "signatures": Signature,
    "measures": Measure,
    "strengths": Strength,
    "system_means": SystemMean,
    "histograms": RatingBin,
    "spreads": Spread,
    "metric_splits": MetricSplit,
    "errors": ErrorCount,
    "preferences": Preference,
    "accuracy": Accuracy,
    "accuracy_differences": AccuracyDifference,
    "gaps": GapAgreement,
    "close_systems": CloseSystems,
    "judges": JudgeTest,
    "machines": MachineAgreement,
    "powered": Powered,
    "sequential": SequentialPair,
    "variance": VarianceComponent,
    "reliability": Reliability,
    "contrasts": Contrast,
    "questions": QuestionSummary,
    "options": OptionShare,
    "texts": TextAnswer,
    "sets": SetScore,
    "fits": ChoiceFit,
    "highlight_matches": HighlightMatch,
    "highlight_rankings": HighlightRanking,
    "confidence": ConfidenceMean,
    "confidence_agreement": ConfidenceAgreement,
    "hard_documents": HardDocument,
    "document_tests": DocumentTest,
    "modes": Mode,
    "mode_differences": ModeDifference,
}

_MOST = 30

_ROW, _NAMES, _WIDTH = 20, 190, 640


def study_html(study: Study) -> str:
    """Findings as a list, and a forest plot of the first ranking by people."""
    items = "".join(
        f"<li><b>{escape(finding.text)}</b> {escape(finding.detail)}</li>"
        for finding in study.findings
    )
    counts = ", ".join(
        f"{len(getattr(study, kind)):,} {kind.replace('_', ' ')}"
        for kind in study.kinds
        if kind not in ("findings", "headline") and getattr(study, kind)
    )
    nothing = "<li>There are no findings.</li>"
    return f"<div><p>Study: {counts}.</p><ul>{items or nothing}</ul>{_figure(study)}</div>"


def _figure(study: Study) -> str:
    leading = leading_ranking(study.findings, study.ranking)
    rows = [record for record in leading if record.rank is not None]
    if not rows:
        return ""
    first = rows[0]
    return _forest(rows, f"{first.dimension} ({first.by}, {first.method})")


def _forest(rows: Sequence[Rank], title: str) -> str:
    """A dot with its interval per system, the best on top, letters at the end of the line."""
    shown = rows[:_MOST]
    ends = [v for r in shown for v in (r.low, r.value, r.high) if v is not None]
    low, width = min(ends), (max(ends) - min(ends)) or 1.0
    scale = (_WIDTH - _NAMES - 120) / width

    def x(value: float) -> float:
        return round(_NAMES + 10 + (value - low) * scale, 1)

    lines = []
    for row, record in enumerate(shown):
        y, value = _ROW * row + 34, record.value or 0.0
        bounds = (record.low, record.high)
        if bounds[0] is not None and bounds[1] is not None:
            lines.append(
                f'<line x1="{x(bounds[0])}" x2="{x(bounds[1])}" y1="{y}" y2="{y}" '
                'stroke="currentColor" stroke-width="2"/>'
            )
        name = record.system if len(record.system) <= 28 else f"{record.system[:27]}…"
        lines.append(
            f'<circle cx="{x(value)}" cy="{y}" r="4" fill="currentColor"/>'
            f'<text x="{_NAMES}" y="{y + 4}" text-anchor="end">{escape(name)}</text>'
            f'<text x="{_WIDTH - 100}" y="{y + 4}">{show_number(value)}</text>'
            f'<text x="{_WIDTH - 50}" y="{y + 4}">{escape(show_letters(record.letters))}</text>'
        )
    rest = f" The first {len(shown)} of {len(rows)}." if len(rows) > len(shown) else ""
    height = _ROW * len(shown) + 40
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" role="img" font-size="12" '
        f'fill="currentColor" font-family="sans-serif"><text x="0" y="14">{escape(title)}, with '
        f"95 % intervals; systems that share a letter cannot be told apart.{rest}</text>"
        f"{''.join(lines)}</svg>"
    )
