"""All summarisers by name, and how `name:option=value,...` is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gistmark.options import settings_from
from gistmark.registry import Registry
from gistmark.signature import Signature
from gistmark.summarizers.summarizer import Summarizer

_HOME = "gistmark.summarizers"

SYSTEMS: Registry[type[Summarizer]] = Registry(
    "system",
    "gistmark.systems",
    {
        "LeadFirst": f"{_HOME}.extractive.baselines:LeadFirst",
        "Random": f"{_HOME}.extractive.baselines:Random",
        "Oracle": f"{_HOME}.extractive.oracle:Oracle",
        "MMR": f"{_HOME}.extractive.mmr:Mmr",
        "MMR*": f"{_HOME}.extractive.mmr:MmrStar",
        "Submodular": f"{_HOME}.extractive.submodular:Submodular",
        "LexRank": f"{_HOME}.extractive.graph_ranking:LexRank",
        "TextRank": f"{_HOME}.extractive.graph_ranking:TextRank",
        "H1": f"{_HOME}.hierarchical.h1:H1",
        "H2": f"{_HOME}.hierarchical.h2:H2",
        "H3": f"{_HOME}.hierarchical.h3:H3",
        "H4": f"{_HOME}.hierarchical.h4:H4",
        "H5": f"{_HOME}.hierarchical.h5:H5",
        "PG-MMR": f"{_HOME}.abstractive:PgMmr",
        "abstractive": f"{_HOME}.abstractive:Abstractive",
    },
    base=Summarizer,
)

_DIP = ("LeadFirst", "MMR", "MMR*", "Submodular", "H1", "H2", "H3", "H4", "H5", "PG-MMR")

GROUPS: Mapping[str, tuple[str, ...]] = {
    "default": ("LeadFirst", "Random", "MMR*", "Submodular", "LexRank", "TextRank"),
    "dip-sumeval": _DIP,
    "hierarchical": ("H1", "H2", "H3", "H4", "H5"),
    "extractive": tuple(name for name in SYSTEMS.builtin if name not in ("PG-MMR", "abstractive")),
    "all": SYSTEMS.builtin,
}
"""Names that stand for several systems: quick ones that need no model and nothing from people,
the ten of DIP-SumEval, those with a hierarchy, those that take sentences as they are, and all."""


def systems_from(specs: Sequence[str]) -> dict[str, Summarizer]:
    """The systems that the specs ask for, by the name as given; groups are expanded."""
    expanded = [name for spec in specs for name in GROUPS.get(spec, (spec,))]
    return {spec: system_from(spec) for spec in expanded}


def system_from(spec: str) -> Summarizer:
    """The system of a spec such as `MMR` or `MMR:balance=0.7`."""
    name, settings = SYSTEMS.split(spec, GROUPS)
    kind = SYSTEMS.get(name)
    explicit = settings_from(name, settings, kind.Options)
    with SYSTEMS.naming_plugin(name):
        return kind(kind.Options(**explicit))


def system_from_signature(text: str) -> Summarizer:
    """The system with the options that a signature records, untrained.

    The limit and the languages behind the options are not the system's own.
    """
    signature = Signature.parse(text)
    kind = SYSTEMS.get(signature.family)
    with SYSTEMS.naming_plugin(signature.family):
        return kind.from_signature(signature)
