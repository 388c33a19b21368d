"""Protocols as plain mappings (JSON) and back, and changing the settings of one.

>>> from gistmark.judgements import configured, get_protocol, protocol_from, to_mapping
>>> overall = get_protocol("overall")
>>> protocol_from(to_mapping(overall)) == overall
True
>>> configured(overall, {"checks": {"too_fast": "reject"}}).checks.too_fast
'reject'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields
from typing import Any

from gistmark.corpus.fields import FLAG, NAME, TEXT, Count, Kind, OneOf
from gistmark.judgements.consistency import protocol_faults
from gistmark.judgements.faults import Fault, ProtocolError
from gistmark.judgements.fields import REQUIRED, SECONDS, Fields
from gistmark.judgements.protocol import (
    ACTIONS,
    CHECK_KINDS,
    KINDS,
    SHOWN,
    Checks,
    Dimension,
    Protocol,
)
from gistmark.judgements.scales import FORMS, Scale

_AT_LEAST_ONE = Count(least=1)
_POINT = Count(least=-1_000_000)
_PLAIN: Mapping[str, Kind] = {
    "name": NAME,
    "kind": OneOf(KINDS),
    "about": TEXT,
    "budget": _AT_LEAST_ONE,
    "judges": _AT_LEAST_ONE,
    "items_per_task": _AT_LEAST_ONE,
    "minimum_seconds": SECONDS,
    "consent": TEXT,
    "instructions": TEXT,
    "example": TEXT,
    "several_of_a_document": FLAG,
    "judge_references": FLAG,
    "editable": FLAG,
    "one_dimension_per_screen": FLAG,
}
_SCALES = ("scale", "confidence", "weight")


def to_mapping(protocol: Protocol) -> dict[str, Any]:
    """A protocol as JSON can hold it, with every setting."""
    plain: dict[str, Any] = _listed(asdict(protocol))
    return plain


def protocol_from(mapping: Mapping[str, object]) -> Protocol:
    """The protocol that a mapping describes; a `ProtocolError` has everything that is wrong."""
    faults: list[Fault] = []
    given = Fields(mapping, faults)
    settings = {name: _read(given, name) for name in _PLAIN}
    settings |= {name: _scale(given, name) for name in _SCALES}
    settings["shows"] = given.texts("shows", OneOf(SHOWN))
    settings["dimensions"] = tuple(map(_dimension, given.objects("dimensions")))
    settings["checks"] = _checks(given.inner("checks"))
    given.refuse_others(tuple(each.name for each in fields(Protocol)))
    if not faults:
        protocol = Protocol(**settings)
        faults = protocol_faults(protocol)
    if faults:
        raise ProtocolError(faults)
    return protocol


def configured(protocol: Protocol, changes: Mapping[str, object]) -> Protocol:
    """The protocol with some settings changed; everything else stays.

    The inner settings of `checks` and of a scale may be given one by one. `dimensions` is either
    the whole list, or an object of changes by the dimension's name.
    """
    merged = to_mapping(protocol)
    for name, change in changes.items():
        before = merged.get(name)
        if name == "dimensions" and isinstance(change, Mapping):
            merged[name] = _changed_dimensions(merged[name], change)
        elif isinstance(before, dict) and isinstance(change, Mapping):
            merged[name] = {**before, **change}
        else:
            merged[name] = change
    return protocol_from(merged)


def _changed_dimensions(
    before: list[dict[str, Any]], changes: Mapping[str, object]
) -> list[dict[str, Any]]:
    known = [dimension["name"] for dimension in before]
    faults = [
        Fault(
            f"dimensions.{name}",
            f"There is no dimension {name!r} to change; known are: {', '.join(known)}.",
        )
        for name in changes
        if name not in known
    ]
    faults += [
        Fault(f"dimensions.{name}", f"The field 'dimensions.{name}' must be an object of changes.")
        for name, change in changes.items()
        if not isinstance(change, Mapping)
    ]
    if faults:
        raise ProtocolError(faults)
    return [{**each, **_as_mapping(changes.get(each["name"]))} for each in before]


def _as_mapping(change: object) -> Mapping[str, object]:
    return change if isinstance(change, Mapping) else {}


def _read(given: Fields, name: str) -> Any:
    default = _DEFAULTS[name]
    return given.take(name, _PLAIN[name], REQUIRED if default is MISSING else default)


def _scale(given: Fields, name: str) -> Scale | None:
    there = given.has(name)
    inner = given.inner(name)
    if not there:
        return None
    before = len(given.faults)
    read = {
        "form": inner.take("form", OneOf(FORMS)),
        "low": inner.take("low", _POINT),
        "high": inner.take("high", _POINT),
        "labels": inner.texts("labels", TEXT),
        "start": inner.take("start", _POINT, None),
    }
    inner.refuse_others()
    return Scale(**read) if len(given.faults) == before else None


def _dimension(given: Fields) -> Dimension:
    read = Dimension(
        name=given.take("name", NAME),
        question=given.take("question", TEXT),
        guidance=given.take("guidance", TEXT, ""),
        scale=_scale(given, "scale"),
    )
    given.refuse_others()
    return read


def _checks(given: Fields) -> Checks:
    default = Checks()
    read: dict[str, Any] = {
        kind: given.take(kind, OneOf(ACTIONS), default.action(kind)) or "off"
        for kind in CHECK_KINDS
    }
    given.refuse_others()
    return Checks(**read)


_DEFAULTS: Mapping[str, object] = {each.name: each.default for each in fields(Protocol)}


def _listed(value: Any) -> Any:
    """Tuples as lists, all the way down, as they come back from JSON."""
    if isinstance(value, dict):
        return {name: _listed(each) for name, each in value.items()}
    return [_listed(each) for each in value] if isinstance(value, list | tuple) else value
