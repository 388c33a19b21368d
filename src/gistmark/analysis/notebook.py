"""How a study looks in a notebook: its findings, and the systems with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from gistmark.analysis.headline import leading_ranking
from gistmark.analysis.letters import show_letters
from gistmark.analysis.numbers import show_number
from gistmark.analysis.records import Rank

if TYPE_CHECKING:
    from gistmark.analysis.results import Study

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
