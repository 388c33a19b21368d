"""The papers by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from gistmark.errors import unknown_name
from gistmark.papers.paper import Paper

_HERE = "gistmark.papers"
_PAPERS: Mapping[str, str] = {
    "highres": f"{_HERE}.highres",
    "blanc": f"{_HERE}.blanc",
    "dip-sumeval": f"{_HERE}.dip_sumeval",
    "emfos": f"{_HERE}.emfos",
}


def paper_names() -> tuple[str, ...]:
    """The papers that can be recomputed."""
    return tuple(_PAPERS)


def paper_named(name: str) -> Paper:
    """The paper of this name; an unknown one is an error that lists the known ones."""
    if name not in _PAPERS:
        raise unknown_name("paper", name, paper_names())
    paper: Paper = import_module(_PAPERS[name]).PAPER
    return paper
