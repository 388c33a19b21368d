"""A group's own protocols: an empty form to start with, and a preset as an equal form.

>>> from gistmark.judgements import as_form, get_protocol
>>> form = as_form(get_protocol("overall"))
>>> form.kind, [block.type for block in form.blocks]
('form', ['show', 'show', 'likert'])
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from gistmark.errors import UsageError
from gistmark.judgements.checks import get_check
from gistmark.judgements.protocols import PROTOCOLS, get_protocol
from gistmark.judgements.protocols.highres import CONSENT
from gistmark.judgements.protocols.protocol import Checks, Dimension, Protocol
from gistmark.judgements.protocols.settings import protocol_from, to_mapping

FORM = "form"
"""The name of the empty form, where a protocol is chosen by name."""
BLANK = Protocol(
    name="own",
    kind="form",
    about="Answer the questions of this study.",
    consent=CONSENT,
    checks=Checks(attention="flag"),
)


def starting_protocol(name: str) -> Protocol:
    """The preset of this name, or under the name `form` an empty form."""
    return BLANK if name == FORM and name not in PROTOCOLS else get_protocol(name)


def has_form(protocol: Protocol) -> bool:
    """Whether the protocol is a form, or there is one that equals it."""
    if protocol.question_type.composed:
        return True
    return protocol.kind in ("rating", "comparison") and not protocol.one_dimension_per_task


def as_form(protocol: Protocol) -> Protocol:
    """The form that asks the same and gives the same records.

    Checks that a form cannot have are off, and all dimensions are on one screen.
    """
    if protocol.question_type.composed:
        return protocol
    if protocol.one_dimension_per_task:
        raise UsageError(
            "A form asks all its questions at once: set one_dimension_per_task to false before the "
            "protocol is edited as blocks."
        )
    if not has_form(protocol):
        raise UsageError(
            f"A {protocol.kind} protocol has a page of its own, so it cannot be edited as blocks."
        )
    shown = [*protocol.shows, "pair" if protocol.subject == "pair" else "summary"]
    blocks = [{"type": "show", "what": what} for what in shown]
    blocks += [_question(dimension, protocol) for dimension in protocol.dimensions]
    unscaled = dict.fromkeys(("scale", "confidence", "weight"))
    mapping = to_mapping(protocol) | unscaled
    mapping |= {"kind": "form", "shows": [], "dimensions": [], "blocks": blocks}
    mapping |= {"one_dimension_per_screen": False, "checks": {}}
    form = protocol_from(mapping)
    checks = {
        name: action
        for name, action in protocol.checks.actions.items()
        if get_check(name).misfit(form) is None
    }
    return protocol_from(mapping | {"checks": checks})


def _question(dimension: Dimension, protocol: Protocol) -> dict[str, Any]:
    """The block that asks about a dimension."""
    common = {
        "name": dimension.name,
        "question": dimension.question,
        "guidance": dimension.guidance,
    }
    if protocol.subject == "pair":
        return {"type": "pairwise", **common}
    scale = protocol.scale_of(dimension.name)
    scales = {"scale": scale, "confidence": protocol.confidence, "weight": protocol.weight}
    given = {name: asdict(each) for name, each in scales.items() if each is not None}
    return {"type": "likert" if scale.form == "points" else "slider", **common, **given}
