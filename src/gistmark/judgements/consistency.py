"""Whether the settings of a protocol fit together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gistmark.judgements.faults import Fault
from gistmark.judgements.protocol import Protocol
from gistmark.judgements.scales import Scale, scale_faults


def protocol_faults(protocol: Protocol) -> list[Fault]:
    """Everything that keeps this protocol from being used, a sentence each."""
    found = [
        *_what_is_judged(protocol),
        *_scales(protocol),
        *_what_is_shown(protocol),
        *_checks(protocol),
    ]
    return [Fault(field, f"The field {field!r} {message}.") for field, message in found]


def _what_is_judged(protocol: Protocol) -> Iterator[tuple[str, str]]:
    highlight = protocol.kind == "highlight"
    if highlight and protocol.budget is None:
        yield "budget", "must be the number of words that may be highlighted, at least 1"
    if not highlight and protocol.budget is not None:
        yield "budget", f"must be left out: nothing is highlighted in a {protocol.kind} protocol"
    if highlight and protocol.dimensions:
        yield "dimensions", "must be empty: a highlight protocol rates nothing"
    if not highlight and not protocol.dimensions:
        yield "dimensions", f"must hold at least one dimension in a {protocol.kind} protocol"
    counts = Counter(dimension.name for dimension in protocol.dimensions)
    for name, count in counts.items():
        if count > 1:
            yield "dimensions", f"has {count} dimensions named {name!r}; each name may be used once"
    if highlight and protocol.judge_references:
        yield "judge_references", "must be false: a highlight protocol judges no summaries"


def _scales(protocol: Protocol) -> Iterator[tuple[str, str]]:
    rating = protocol.kind == "rating"
    for field, scale in _all_scales(protocol):
        if not rating:
            yield field, f"must be left out: only a rating protocol has scales, not {protocol.kind}"
        else:
            yield from ((f"{field}.{inner}", message) for inner, message in scale_faults(scale))
    if rating and protocol.scale is None:
        for number, dimension in enumerate(protocol.dimensions):
            if dimension.scale is None:
                yield (
                    f"dimensions[{number}].scale",
                    f"is missing: neither {dimension.name!r} nor the protocol has a scale",
                )


def _all_scales(protocol: Protocol) -> Iterator[tuple[str, Scale]]:
    named = [("scale", protocol.scale), ("confidence", protocol.confidence)]
    named.append(("weight", protocol.weight))
    named += [(f"dimensions[{i}].scale", d.scale) for i, d in enumerate(protocol.dimensions)]
    yield from ((field, scale) for field, scale in named if scale is not None)


def _what_is_shown(protocol: Protocol) -> Iterator[tuple[str, str]]:
    shows = protocol.shows
    if len(set(shows)) < len(shows):
        yield "shows", "names something twice"
    if {"document", "heat-map"} <= set(shows):
        yield "shows", "must name 'document' or 'heat-map', not both: they show the same text"
    if protocol.kind == "highlight" and "document" not in shows:
        yield "shows", "must name 'document' in a highlight protocol"
    if protocol.kind == "highlight" and "reference" in shows:
        yield "shows", "must not name 'reference': it would tell what to highlight"


def _checks(protocol: Protocol) -> Iterator[tuple[str, str]]:
    checks, shows = protocol.checks, set(protocol.shows)
    if checks.question != "off" and not shows & {"document", "heat-map", "reference"}:
        yield "checks.question", "must be off: neither a document nor a reference is shown"
    if checks.planted != "off" and protocol.kind != "rating":
        yield "checks.planted", "must be off: only summaries that are rated can be planted"
    elif checks.planted != "off" and shows:
        yield "checks.planted", "must be off where more than the summary is shown"
    sliders = protocol.kind == "rating" and any(
        scale is not None and scale.form == "slider"
        for scale in (protocol.scale, *(each.scale for each in protocol.dimensions))
    )
    if checks.untouched != "off" and not sliders:
        yield "checks.untouched", "must be off: the protocol has no slider"
    if checks.no_highlights != "off" and protocol.kind != "highlight":
        yield "checks.no_highlights", f"must be off in a {protocol.kind} protocol"
    if checks.straight_line != "off" and protocol.kind == "highlight":
        yield "checks.straight_line", "must be off in a highlight protocol"
    if checks.too_fast != "off" and not protocol.minimum_seconds:
        yield "checks.too_fast", "must be off, or minimum_seconds above 0"
    if protocol.one_dimension_per_screen and not protocol.dimensions:
        yield "one_dimension_per_screen", "must be false: there are no dimensions"
