"""Crowd markets: how people come from each and go back to it.

A market is one class (`market.Market`). To add one, write the class and name it below; pages,
arrival and outcomes take it from here. A package can add one through an entry point of
`gistmark.markets`.
"""

from __future__ import annotations

from functools import cache

from gistmark.registry import Registry
from gistmark.web.crowd.markets.market import Market, Parameters

__all__ = ["MARKETS", "Market", "Parameters", "get_market"]

_HERE = "gistmark.web.crowd.markets"

MARKETS: Registry[type[Market]] = Registry(
    "market",
    "gistmark.markets",
    {
        "prolific": f"{_HERE}.prolific:Prolific",
        "connect": f"{_HERE}.connect:Connect",
        "generic": f"{_HERE}.generic:Generic",
    },
    base=Market,
)


@cache
def get_market(name: str) -> Market:
    """The market of this name; an unknown name is an error that lists the known ones."""
    return MARKETS.get(name)()
