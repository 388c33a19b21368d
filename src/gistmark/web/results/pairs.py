"""Pairs of systems for reading: those of one ranking, and of one system where there are many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gistmark.errors import unknown_name

MOST_PAIRS = 45
"""With more pairs than those of ten systems, one system's are shown at a time."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Some pairs of one ranking, and what else could be chosen.

    `ranking` and `system` are what was chosen, `rankings` and `systems` what there is to choose
    from, in the order of the study; `system` is empty where the pairs of all are shown, and
    `may_show_all` says whether they can be. `total` counts the pairs of the ranking.
    """

    rankings: tuple[str, ...]
    ranking: str
    systems: tuple[str, ...]
    system: str
    may_show_all: bool
    total: int
    records: tuple[dict[str, Any], ...]

    @property
    def tests(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(record["test"] for record in self.records))


def ranking_name(record: dict[str, Any]) -> str:
    """What people call the ranking that a record belongs to; a campaign has one kind of work."""
    return f"{record['dimension']} ({record['method']})"


def choose_pairs(
    records: Sequence[dict[str, Any]], ranking: str = "", system: str = ""
) -> Pairs | None:
    """The pairs of a ranking, by default of the first; None if there are no pairs at all.

    Where there are too many to read at once, they are those of one system, by default the best.
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        groups.setdefault(ranking_name(record), []).append(record)
    if not groups:
        return None
    chosen = ranking or next(iter(groups))
    if chosen not in groups:
        raise unknown_name("ranking", chosen, list(groups))
    own = groups[chosen]
    systems = tuple(dict.fromkeys([own[0]["left"], *(record["right"] for record in own)]))
    may_show_all = len(own) <= MOST_PAIRS
    if system and system not in systems:
        raise unknown_name("system", system, systems)
    about = system or ("" if may_show_all else systems[0])
    shown = [r for r in own if about in ("", r["left"], r["right"])]
    return Pairs(tuple(groups), chosen, systems, about, may_show_all, len(own), tuple(shown))
