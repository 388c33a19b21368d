"""`write_unit_pages`: which content units each summary states, and where, for people and programs.

A page for each document lists its units and shows every summary with the sentences that state
them; `units.json` has the same. It computes nothing: `gistmark.scoring.units.find_units` does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from gistmark.analysis.findings.words import counted, show_number
from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.metrics.content_units.pyramid import PRESENT, Explanation, StatedUnit
from gistmark.records import Summary
from gistmark.report.figures.palette import HOTTEST
from gistmark.report.page import page_section, static_page, write_file
from gistmark.report.table import Column, Table
from gistmark.report.writers import html_table
from gistmark.scoring.units import Origin, UnitPresence

RECORDS = "units.json"
PAGES = "documents"

_LABEL = "where summaries state content units"
_NOTE = (
    "The value of a summary is the sum of the units’ weighted probabilities over the weight that "
    f"an ideal summary reaches. From a probability of {PRESENT:g} on, a unit is shown as stated, "
    "and the sentence that has most of its words is marked."
)

Span = tuple[int, int]


def write_unit_pages(presence: UnitPresence, corpus: Corpus, folder: Path) -> Path:
    """Write `units.json`, a page for each document, and `index.html`, whose path it gives.

    Pages of an earlier run are replaced.
    """
    refuse_other_units(folder)
    texts = {(summary.document, summary.system): summary for summary in corpus.summaries}
    groups: dict[str, list[Summary]] = {}
    for origin in presence.explanations:
        groups.setdefault(origin[0], []).append(texts[origin])
    width = len(str(len(groups)))
    names = {id: f"{PAGES}/{n:0{width}}.html" for n, id in enumerate(groups, start=1)}
    titles = {
        document.id: (document.title or "").strip() or document.id for document in corpus.documents
    }
    write_file(
        folder / RECORDS, json.dumps(_content(presence), indent=1, ensure_ascii=False) + "\n"
    )
    for stale in (folder / PAGES).glob("*.html"):
        stale.unlink()
    for id, summaries in groups.items():
        page = document_page(titles.get(id, id), summaries, presence.explanations)
        write_file(folder / names[id], page)
    return write_file(folder / "index.html", _index(presence, names, titles))


def refuse_other_units(folder: Path) -> None:
    """Raise a `UsageError` if the pages would overwrite something else."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / RECORDS).is_file():
        raise UsageError(f"{folder} is not empty and holds no pages of units; choose another one.")


def document_page(
    title: str, summaries: Sequence[Summary], explanations: Mapping[Origin, Explanation]
) -> str:
    """The units of a document, and each summary with the sentences that state some."""
    by_system = {
        summary.system: explanations[summary.document, summary.system] for summary in summaries
    }
    articles = "\n".join(_article(summary, by_system[summary.system]) for summary in summaries)
    units = _units_table(list(by_system.values()))
    sections = [page_section("summaries", "Summaries", f'<p class="note">{_NOTE}</p>{articles}')]
    if units.rows:
        sections.insert(0, page_section("units", "Content units", html_table(units, titled=False)))
    above = '<p class="above"><a href="../index.html">All documents</a></p>'
    counts = {"units": len(units.rows), "summaries": len(summaries)}
    return static_page(title, counts, sections, above=above, label=_LABEL)


def _content(presence: UnitPresence) -> dict[str, object]:
    return {
        "metric": presence.metric,
        "signatures": dict(presence.signatures),
        "summaries": [
            {
                "document": document, "system": system,
                "value": explanation.value, "reason": explanation.reason,
                "units": [_unit_record(unit) for unit in explanation.units],
            }
            for (document, system), explanation in presence.explanations.items()
        ],
    }  # fmt: skip


def _unit_record(unit: StatedUnit) -> dict[str, object]:
    start, end = unit.span or (None, None)
    return {
        "text": unit.text, "weight": unit.weight, "probability": unit.probability,
        "present": unit.is_present, "start": start, "end": end,
    }  # fmt: skip


def _units_table(explanations: Sequence[Explanation]) -> Table:
    """A row per unit, equal ones counted together, with how many summaries state it."""
    stated: dict[tuple[str, float], list[bool]] = {}
    for explanation in explanations:
        for unit in explanation.units:
            stated.setdefault((unit.text, unit.weight), []).append(unit.is_present)
    columns = [
        Column("unit", "Unit"), Column("weight", "Weight"),
        Column("stated", "Stated by", "count"), Column("summaries", "Summaries", "count"),
    ]  # fmt: skip
    rows = [
        (text, f"{weight:g}", sum(marks), len(marks)) for (text, weight), marks in stated.items()
    ]
    return Table("units", "Content units", columns, rows, whole=True)


def _article(summary: Summary, explanation: Explanation) -> str:
    if explanation.value is None:
        head, units = f"no value: {escape(explanation.reason or '')}", ""
    else:
        head = f"{show_number(explanation.value)}, {_stated_count(explanation.units)}"
        units = _unit_lists(explanation.units)
    text = _mark_sentences(summary.text, [unit.span for unit in explanation.units if unit.span])
    prose = f'<p class="prose" dir="auto">{text}</p>' if summary.text.strip() else ""
    empty = "" if prose else '<p class="note">The summary is empty.</p>'
    return (
        f'<article class="system"><h3><bdi dir="auto">{escape(summary.system)}</bdi> '
        f"<small>{head}</small></h3>{prose}{empty}{units}</article>"
    )


def _unit_lists(units: Sequence[StatedUnit]) -> str:
    """A list of the units that are stated, and a folded list of the others."""
    stated = "".join(_unit(unit) for unit in units if unit.is_present)
    missing = [unit for unit in units if not unit.is_present]
    parts = [f'<ul class="nuggets">{stated}</ul>' if stated else ""]
    if missing:
        items = "".join(map(_unit, missing))
        parts.append(
            f"<details><summary>{len(missing)} not stated</summary>"
            f'<ul class="nuggets">{items}</ul></details>'
        )
    return "".join(parts)


def _stated_count(units: Sequence[StatedUnit]) -> str:
    stated = sum(unit.is_present for unit in units)
    return f"{stated} of {len(units)} unit{'s' if len(units) != 1 else ''} stated"


def _unit(unit: StatedUnit) -> str:
    mark = "stated" if unit.is_present else "not stated"
    where = ""
    if unit.span:
        start, end = unit.span
        where = f" in characters {start:,} to {end:,}"
    elif unit.is_present:
        where = " by the summary as a whole"
    chance = show_number(unit.probability)
    weight = "" if unit.weight == 1 else f", weight {unit.weight:g}"
    return (
        f'<li class="{mark.replace(" ", "-")}"><bdi dir="auto">{escape(unit.text)}</bdi> '
        f"<small>{mark}{where}, probability {chance}{weight}</small></li>"
    )


def _mark_sentences(text: str, spans: Sequence[Span]) -> str:
    """Mark sentences of the text: the more units a sentence states, the stronger its mark."""
    parts, position = [], 0
    for start, end in sorted(set(spans)):
        heat = min(spans.count((start, end)), HOTTEST)
        parts.append(escape(text[position:start]))
        parts.append(f'<mark class="heat-{heat}">{escape(text[start:end])}</mark>')
        position = end
    return "".join([*parts, escape(text[position:])])


def _index(presence: UnitPresence, names: Mapping[str, str], titles: Mapping[str, str]) -> str:
    items = "".join(
        f'<li><a href="{page}" dir="auto">{escape(titles.get(id, id))}</a>'
        f"<small>{escape(_about(presence, id))}</small></li>"
        for id, page in names.items()
    )
    signatures = Table(
        "signatures", "Signature",
        [Column("lang", "Language"), Column("signature", "Signature", "code")],
        [*presence.signatures.items()], whole=True,
    )  # fmt: skip
    sections = [
        page_section("documents", "Documents", f'<ul class="documents">{items}</ul>'),
        page_section("systems", "Systems", html_table(_systems(presence), titled=False)),
        page_section("signatures", "Signature", html_table(signatures, titled=False)),
    ]
    counts = {"documents": len(names), "summaries": len(presence.explanations)}
    return static_page("Where summaries state content units", counts, sections, label=_LABEL)


def _about(presence: UnitPresence, document: str) -> str:
    explanations = [
        explanation for (id, _), explanation in presence.explanations.items() if id == document
    ]
    most = max(len(explanation.units) for explanation in explanations)
    return f"{document}: {counted(most, 'unit')}"


def _systems(presence: UnitPresence) -> Table:
    """A row per system with how many units its summaries state."""
    rows = []
    for system in dict.fromkeys(system for _, system in presence.explanations):
        explanations = [
            explanation
            for (_, name), explanation in presence.explanations.items()
            if name == system
        ]
        units = [unit for explanation in explanations for unit in explanation.units]
        stated = sum(unit.is_present for unit in units)
        missing = sum(explanation.value is None for explanation in explanations)
        rows.append((system, len(explanations), missing, len(units), stated))
    columns = [
        Column("system", "System"), Column("summaries", "Summaries", "count"),
        Column("missing", "Without a value", "count"), Column("units", "Units", "count"),
        Column("stated", "Stated", "count"),
    ]  # fmt: skip
    return Table("systems", "Systems", columns, rows, whole=True)
