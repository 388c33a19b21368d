"""The settings of a protocol: as a plain mapping (JSON) and back, changed, and checked.

>>> from gistmark.judgements import configured, get_protocol, protocol_from, to_mapping
>>> overall = get_protocol("overall")
>>> protocol_from(to_mapping(overall)) == overall
True
>>> configured(overall, {"checks": {"too_fast": "paid"}}).checks["too_fast"]
'paid'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, asdict, fields
from typing import Any

from gistmark.corpus.fields import FLAG, NAME, TEXT, Count, Kind, Number, OneOf, WrongValueError
from gistmark.judgements.checks import CHECKS, get_check
from gistmark.judgements.fields import MOST_FAULTS, REQUIRED, SECONDS, Fault, Fields, ProtocolError
from gistmark.judgements.forms import read_block
from gistmark.judgements.forms.base import UnreadBlock
from gistmark.judgements.protocols.protocol import (
    ORDERS,
    SHOWN,
    WORDINGS,
    Checks,
    Dimension,
    Protocol,
    read_scale,
)
from gistmark.judgements.questions import QUESTION_TYPES
from gistmark.judgements.tasks.sets import MOST_IN_A_SET, MOST_SETS_PER_SYSTEM
from gistmark.judgements.verdicts import ACTIONS


class _Average(Number):
    """A number of annotators, which is an average where it is not whole."""

    expected = "a number of annotators, such as 2 or 2.5"

    def value(self, value: object) -> float:
        number = super().value(value)
        if number < 1:
            raise WrongValueError(f"must be at least 1, but is {number:g}")
        return number


_AT_LEAST_ONE = Count(least=1)
_AVERAGE = _Average()
_PLAIN: Mapping[str, Kind] = {
    "name": NAME,
    "kind": NAME,
    "about": TEXT,
    "budget": _AT_LEAST_ONE,
    "judges": _AT_LEAST_ONE,
    "items_per_task": _AT_LEAST_ONE,
    "minimum_seconds": SECONDS,
    "consent": TEXT,
    "instructions": TEXT,
    "example": TEXT,
    "several_of_a_document": FLAG,
    "one_per_document_and_annotator": FLAG,
    "one_dimension_per_task": FLAG,
    "judge_references": FLAG,
    "editable": FLAG,
    "one_dimension_per_screen": FLAG,
    "wording": OneOf(tuple(WORDINGS)),
    "order": OneOf(ORDERS),
    "set_size": Count(least=2),
    "sets_per_system": _AT_LEAST_ONE,
}
_SCALES = ("scale", "confidence", "weight")
MOST_BLOCKS = 200
"""How many blocks a form may have at most."""


def to_mapping(protocol: Protocol) -> dict[str, Any]:
    """A protocol as JSON can hold it, with every setting."""
    plain: dict[str, Any] = _listed(asdict(protocol))
    plain["checks"] = {name: protocol.checks[name] for name in CHECKS}
    if protocol.blocks:
        plain |= {"shows": [], "dimensions": []}
        plain["blocks"] = [_listed(block.to_mapping()) for block in protocol.blocks]
    return plain


def protocol_from(mapping: Mapping[str, object]) -> Protocol:
    """The protocol that a mapping describes; a `ProtocolError` has everything that is wrong."""
    faults: list[Fault] = []
    given = Fields(mapping, faults)
    settings = {name: _read(given, name) for name in _PLAIN}
    settings |= {name: read_scale(given, name) for name in _SCALES}
    settings["shows"] = given.members("shows", OneOf(SHOWN))
    settings["dimensions"] = tuple(map(_dimension, given.objects("dimensions")))
    settings["blocks"] = tuple(
        read_block(block) or UnreadBlock.from_fields(block)
        for block in given.objects("blocks", MOST_BLOCKS)
    )
    for name in ("shows", "dimensions"):
        if settings["blocks"] and settings[name]:
            given.fault(name, "must be left out: in a form it follows from the blocks")
    settings["checks"] = _checks(given.inner("checks"), settings["kind"])
    settings["judges_by_system"] = _judges_by_system(given.inner("judges_by_system"))
    given.refuse_others(tuple(setting.name for setting in fields(Protocol)))
    if not faults:
        protocol = Protocol(**settings)
        faults = protocol_faults(protocol)
    elif settings["kind"] is not None and len(faults) < MOST_FAULTS:
        faults += _further_faults(settings)
    if faults:
        raise ProtocolError(faults)
    return protocol


def configured(protocol: Protocol, changes: Mapping[str, object]) -> Protocol:
    """The protocol with some settings changed; everything else stays.

    The inner settings of `checks`, of a scale and of `judges_by_system` may be given one by one,
    and null takes one away. `dimensions` is either the whole list, or an object of changes by the
    dimension's name.
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


def protocol_faults(protocol: Protocol) -> list[Fault]:
    """Everything that makes this protocol unusable, one sentence each."""
    if protocol.kind not in QUESTION_TYPES:
        known = ", ".join(QUESTION_TYPES.names())
        return [Fault("kind", f"There is no question type {protocol.kind!r}; known: {known}.")]
    return _worded(
        *_judged_faults(protocol),
        *_set_faults(protocol),
        *_scale_faults(protocol),
        *_shown_faults(protocol),
        *protocol.question_type.faults(protocol),
        *_check_faults(protocol),
    )


def _further_faults(settings: Mapping[str, Any]) -> list[Fault]:
    """What is wrong with a form apart from what could not be read.

    What could not be read has its default, and what depends on it is left out.
    """
    known = {name: value for name, value in settings.items() if value is not None}
    protocol = Protocol(**{"name": "", "about": "", **known})
    if not protocol.question_type.composed:
        return []
    unread = [block for block in protocol.blocks if isinstance(block, UnreadBlock)]
    certain = not any(each.shows for each in unread)
    return _worded(
        *((*_judged_faults(protocol), *_set_faults(protocol)) if certain else ()),
        *protocol.question_type.faults(protocol),
        *(() if unread else _check_faults(protocol)),
    )


def _worded(*faults: tuple[str, str]) -> list[Fault]:
    return [Fault(field, f"The field {field!r} {message}.") for field, message in faults]


def _judged_faults(protocol: Protocol) -> Iterator[tuple[str, str]]:
    kind, question_type = protocol.kind, protocol.question_type
    if protocol.blocks and not question_type.composed:
        yield "blocks", f"must be left out: a {kind} protocol is not composed of blocks"
    if not question_type.budgeted and protocol.budget is not None:
        yield "budget", f"must be left out: nothing is highlighted in a {kind} protocol"
    if not question_type.dimensional and protocol.dimensions:
        yield "dimensions", f"must be empty: a {kind} protocol rates nothing"
    if question_type.dimensional and not question_type.composed and not protocol.dimensions:
        yield "dimensions", f"must hold at least one dimension in a {kind} protocol"
    counts = Counter(dimension.name for dimension in protocol.dimensions)
    for name, count in counts.items():
        if count > 1 and not question_type.composed:
            yield "dimensions", f"has {count} dimensions named {name!r}; each name may be used once"
    if protocol.subject == "document" and protocol.judge_references:
        yield "judge_references", f"must be false: a {kind} protocol judges no summaries"
    if protocol.subject != "summary" and protocol.judges_by_system:
        yield "judges_by_system", "must be left out: an item is not the summary of one system"
    if protocol.subject == "document" and protocol.one_per_document_and_annotator:
        yield "one_per_document_and_annotator", "must be false: a document is one item"
    if protocol.several_of_a_document and protocol.one_per_document_and_annotator:
        yield (
            "several_of_a_document",
            "must be false: by one_per_document_and_annotator nobody gets two items of a document",
        )
    for name in ("one_dimension_per_screen", "one_dimension_per_task"):
        if getattr(protocol, name) and not protocol.dimensions:
            yield name, "must be false: there are no dimensions"
        elif getattr(protocol, name) and question_type.composed:
            yield name, "must be false: a form asks all its questions at once"


def _set_faults(protocol: Protocol) -> Iterator[tuple[str, str]]:
    size, number = protocol.set_size, protocol.sets_per_system
    if protocol.subject != "set" and size is not None:
        yield "set_size", "must be left out: an item does not show a set of summaries"
    elif size is not None and size > MOST_IN_A_SET:
        yield "set_size", f"must be at most {MOST_IN_A_SET}, but is {size}"
    if size is None and number > 1:
        yield "sets_per_system", f"must be 1, but is {number}: there is no set_size to make sets of"
    elif number > MOST_SETS_PER_SYSTEM:
        yield "sets_per_system", f"must be at most {MOST_SETS_PER_SYSTEM}, but is {number}"


def _scale_faults(protocol: Protocol) -> Iterator[tuple[str, str]]:
    if protocol.question_type.composed:
        return
    scales = [(name, getattr(protocol, name)) for name in _SCALES]
    scales += [(f"dimensions[{i}].scale", d.scale) for i, d in enumerate(protocol.dimensions)]
    for field, scale in scales:
        if scale is None:
            continue
        if not protocol.question_type.scaled:
            yield field, f"must be left out: a {protocol.kind} protocol has no scales"
        else:
            yield from ((f"{field}.{inner}", message) for inner, message in scale.faults())


def _shown_faults(protocol: Protocol) -> Iterator[tuple[str, str]]:
    shows = () if protocol.question_type.composed else protocol.shows
    if len(set(shows)) < len(shows):
        yield "shows", "names something twice"
    if {"document", "heat-map"} <= set(shows):
        yield "shows", "must name 'document' or 'heat-map', not both: they show the same text"


def _check_faults(protocol: Protocol) -> Iterator[tuple[str, str]]:
    for name in protocol.checks.actions:
        if name not in CHECKS:
            yield f"checks.{name}", f"is unknown; known: {', '.join(CHECKS.names())}"
        elif message := get_check(name).misfit(protocol):
            yield f"checks.{name}", message
    for name in CHECKS:
        if protocol.checks[name] == "off" and (message := get_check(name).demand(protocol)):
            yield f"checks.{name}", message


def _changed_dimensions(
    before: list[dict[str, Any]], changes: Mapping[str, object]
) -> list[dict[str, Any]]:
    known = [dimension["name"] for dimension in before]
    names = ", ".join(known)
    mappings = {name: change for name, change in changes.items() if isinstance(change, Mapping)}
    faults = [
        Fault(f"dimensions.{name}", f"There is no dimension {name!r} to change; known: {names}.")
        for name in changes
        if name not in known
    ]
    faults += [
        Fault(f"dimensions.{name}", f"The field 'dimensions.{name}' must be an object of changes.")
        for name in changes
        if name not in mappings
    ]
    if faults:
        raise ProtocolError(faults)
    return [{**dimension, **mappings.get(dimension["name"], {})} for dimension in before]


def _read(given: Fields, name: str) -> Any:
    default = _DEFAULTS[name]
    kind = OneOf(QUESTION_TYPES.names()) if name == "kind" else _PLAIN[name]
    return given.take(name, kind, REQUIRED if default is MISSING else default)


def _dimension(given: Fields) -> Dimension:
    read = Dimension(
        name=given.take("name", NAME),
        question=given.take("question", TEXT),
        guidance=given.take("guidance", TEXT, ""),
        scale=read_scale(given, "scale"),
    )
    given.refuse_others()
    return read


def _judges_by_system(given: Fields) -> dict[str, float]:
    """The numbers by system; one that is whole is an int."""
    read = {system: given.take(system, _AVERAGE, None) for system in given.names()}
    return {
        system: int(number) if number.is_integer() else number
        for system, number in read.items()
        if number is not None
    }


def _checks(given: Fields, kind: str | None) -> Checks:
    """A check that is left out is off, except a form's attention checks, which are flagged."""
    composed = kind in QUESTION_TYPES and QUESTION_TYPES.get(str(kind)).composed
    usual = {"attention": "flag"} if composed else {}
    actions: dict[str, Any] = {
        name: given.take(name, OneOf(ACTIONS), usual.get(name, "off")) or "off" for name in CHECKS
    }
    given.refuse_others()
    return Checks(**actions)


_DEFAULTS: Mapping[str, object] = {setting.name: setting.default for setting in fields(Protocol)}


def _listed(value: Any) -> Any:
    """Tuples as lists, all the way down, as they come back from JSON."""
    if isinstance(value, dict):
        return {name: _listed(each) for name, each in value.items()}
    return [_listed(each) for each in value] if isinstance(value, list | tuple) else value
