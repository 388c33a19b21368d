"""The page of the report: one file that loads nothing, with figures that follow light and dark."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from gistmark._version import __version__
from gistmark.analysis.findings.words import counted, sentence
from gistmark.analysis.studies.records import Finding
from gistmark.report.figures import Absent, Figure
from gistmark.report.figures.palette import THEMED, themes
from gistmark.report.outline import Block, Findings, Folded, Group, Paragraph, Scatter, Section
from gistmark.report.scatter import embed
from gistmark.report.table import Table
from gistmark.report.writers import html_table
from gistmark.report.writers.html import minus
from gistmark.runtime.files import write_text

_SCRIPTS = ("statistics.js", "panel.js", "scatter.js", "page.js")


def html_page(
    title: str, counts: Mapping[str, int], sections: Sequence[Section], data: object
) -> str:
    """The whole page; its script runs only if it is the one whose hash the page names."""
    script = _script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return Template(asset("page.html")).substitute(
        head=head(title, _style(), scripts=f"script-src 'sha256-{digest}'; "),
        title=escape(title),
        counts=counts_list(counts),
        contents="".join(
            f'<li><a href="#{section.id}">{escape(section.title)}</a></li>' for section in sections
        ),
        sections="\n".join(map(_section, sections)),
        data=embed(data),
        script=script,
        version=escape(__version__),
    )


def static_page(
    title: str,
    counts: Mapping[str, int],
    sections: Sequence[str],
    *,
    above: str = "",
    layout: str = "",
    label: str = "where summaries come from",
) -> str:
    """A page of sections without any script, such as that of one document.

    `label` says above the title what kind of page it is.
    """
    return Template(asset("explanation.html")).substitute(
        head=head(title, _style() + asset("explanation.css")),
        title=escape(title),
        above=above,
        label=escape(label),
        counts=counts_list(counts),
        layout=layout,
        sections="\n".join(sections),
        version=escape(__version__),
    )


def head(title: str, style: str, *, scripts: str = "") -> str:
    """The beginning of a page that loads nothing; `scripts` says which scripts may run on it."""
    return Template(asset("head.html")).substitute(
        title=escape(title), style=style, scripts=scripts, version=escape(__version__)
    )


def asset(name: str) -> str:
    """The text of a file that the page is made of."""
    return (files("gistmark.report") / "assets" / name).read_text(encoding="utf-8")


def write_file(path: Path, text: str) -> Path:
    """Write a file; what no encoding can hold (half a surrogate pair) becomes a question mark."""
    return write_text(path, text, errors="replace")


def _style() -> str:
    return themes() + asset("report.css")


def _script() -> str:
    return '(() => {\n"use strict";\n' + "\n".join(map(asset, _SCRIPTS)) + "})();\n"


def counts_list(counts: Mapping[str, int]) -> str:
    """The counts at the head of a page."""
    if not counts:
        return '<p class="absent">There is no data.</p>'
    items = "".join(
        f"<div><dt>{noun}</dt><dd>{count:,}</dd></div>" for noun, count in counts.items()
    )
    return f'<dl class="counts">{items}</dl>'


def _section(section: Section) -> str:
    body = "\n".join(
        html_table(block, titled=False)
        if isinstance(block, Table) and block.title == section.title
        else _block(block)
        for block in section.blocks
    )
    return page_section(section.id, section.title, body)


def page_section(id: str, title: str, body: str) -> str:
    """A section of a page below its title; the body is HTML."""
    return (
        f'<section id="{id}" aria-labelledby="{id}-title">'
        f'<h2 id="{id}-title">{escape(title)}</h2>\n{body}</section>'
    )


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return "".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n"))
        case Findings(findings):
            return f'<div class="findings">{"".join(map(_finding, findings))}</div>'
        case Figure():
            return _figure(block)
        case Absent(_, title, reason):
            return f'<p class="absent"><b>{escape(title)}</b> is left out: {escape(reason)}</p>'
        case Scatter():
            return asset("scatter.html")
        case Folded(table):
            return _folded(table)
        case Group(title, tables):
            count = f"{len(tables)} table{'s' if len(tables) != 1 else ''}"
            inner = "".join(map(_folded, tables))
            return (
                f"<details><summary>{escape(title)} <small>{count}</small></summary>"
                f'<div class="group">{inner}</div></details>'
            )
        case Table():
            return html_table(block)


def _finding(finding: Finding) -> str:
    return (
        f'<article class="finding"><p class="about">{escape(sentence(finding.kind))}</p>'
        f"<h3>{minus(escape(finding.text))}</h3><p>{minus(escape(finding.detail))}</p></article>"
    )


def _figure(figure: Figure) -> str:
    label = escape(figure.title, quote=True)
    return (
        f'<figure id="figure-{figure.name}">'
        f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">'
        f"{inline_svg(figure)}</div><figcaption><b>{escape(figure.title)}.</b> "
        f'{escape(figure.caption)} <a href="figures/{figure.name}.svg">SVG</a> '
        f'<a href="figures/{figure.name}.pdf">PDF</a></figcaption>'
        "</figure>"
    )


def _folded(table: Table) -> str:
    rows = counted(len(table.rows), "row")
    return (
        f"<details><summary>{escape(table.title)} <small>{rows}</small></summary>"
        f"{html_table(table, titled=False)}</details>"
    )


_NAMES = re.compile(r'(\bid="|url\(#|href="#)')

_HEAD = re.compile(r"<svg[^>]*?>", re.DOTALL)

_SIZE = re.compile(r'width="([\d.]+)pt"')

_BOX = re.compile(r'viewBox="[^"]+"')

_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)

_PIXELS_PER_POINT = 4 / 3


def inline_svg(figure: Figure) -> str:
    """The figure's SVG for use inside HTML; it follows light and dark."""
    head = _HEAD.search(figure.svg)
    assert head is not None
    width, box = _SIZE.search(head[0]), _BOX.search(head[0])
    pixels = round(float(width[1]) * _PIXELS_PER_POINT) if width else 690
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'{box[0] if box else ""} width="{pixels}" role="img" '
        f'aria-label="{escape(figure.alt, quote=True)}">'
    )
    body = _METADATA.sub("", figure.svg[head.end() :])
    body = _NAMES.sub(lambda result: f"{result[0]}{figure.name}-", body)
    for colour, variable in THEMED.items():
        body = body.replace(colour, variable)
    return opening + body
