"""Protocols by name, and the settings that make one.

`PROTOCOLS` is the catalogue; `highres`, `grades` and `marks` hold the presets, `protocol` the
dataclasses, and `settings` turns a protocol into JSON and back and tells whether its settings fit
together.
"""

from __future__ import annotations

from gistmark.errors import GistmarkError
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.protocols.settings import protocol_faults
from gistmark.registry import Registry

_HIGHRES = "gistmark.judgements.protocols.highres"
_GRADES = "gistmark.judgements.protocols.grades"
_MARKS = "gistmark.judgements.protocols.marks"

PROTOCOLS: Registry[Protocol] = Registry(
    "protocol",
    "gistmark.protocols",
    {
        "highlight": f"{_HIGHRES}:HIGHLIGHT",
        "content-highlight": f"{_HIGHRES}:CONTENT_HIGHLIGHT",
        "content-document": f"{_HIGHRES}:CONTENT_DOCUMENT",
        "content-reference": f"{_HIGHRES}:CONTENT_REFERENCE",
        "fluency": f"{_HIGHRES}:FLUENCY",
        "clarity": f"{_HIGHRES}:CLARITY",
        "likert": f"{_GRADES}:LIKERT",
        "quality": f"{_GRADES}:QUALITY",
        "overall": f"{_GRADES}:OVERALL",
        "pairwise": f"{_GRADES}:PAIRWISE",
        "error-spans": f"{_MARKS}:ERROR_SPANS",
        "content-units": f"{_MARKS}:CONTENT_UNITS",
        "content-units-presence": f"{_MARKS}:CONTENT_UNITS_PRESENCE",
    },
)


def get_protocol(name: str) -> Protocol:
    """The protocol of this name, ready to use or to be changed by `configured`."""
    protocol = PROTOCOLS.get(name)
    if not isinstance(protocol, Protocol):
        raise GistmarkError(f"What {PROTOCOLS.source(name)} offers as {name!r} is not a protocol.")
    if faults := protocol_faults(protocol):
        raise GistmarkError(f"The protocol {name!r} cannot be used: {faults[0]}")
    return protocol


def unchanged_texts(protocol: Protocol) -> tuple[str, ...]:
    """What of the texts that annotators read is still, at least in part, that of the preset.

    A protocol that goes by no preset's name has none. Presets are in English, so these are what a
    study in another language has yet to translate.
    """
    if protocol.name not in PROTOCOLS:
        return ()
    preset = _texts(get_protocol(protocol.name))
    return tuple(name for name, texts in _texts(protocol).items() if texts & preset[name])


def _texts(protocol: Protocol) -> dict[str, set[str]]:
    """The texts of a protocol by what they are; empty ones left out."""
    labels = () if protocol.scale is None else protocol.scale.labels
    own = [words for block in protocol.blocks for words in block.words()]
    texts = {
        "consent": (protocol.consent,),
        "instructions": (protocol.instructions,),
        "example": (protocol.example,),
        "questions": tuple(dimension.question for dimension in protocol.dimensions),
        "guidance": tuple(dimension.guidance for dimension in protocol.dimensions),
        "labels of the scale": labels,
        "texts of the blocks": tuple(own),
    }
    return {name: set(filter(None, values)) for name, values in texts.items()}
