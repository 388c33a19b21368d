"""All protocols by name."""

from __future__ import annotations

from gistmark.errors import GistmarkError
from gistmark.judgements.consistency import protocol_faults
from gistmark.judgements.protocol import Protocol
from gistmark.registry import Registry

_PRESETS = "gistmark.judgements.presets"

PROTOCOLS: Registry[Protocol] = Registry(
    "protocol",
    "gistmark.protocols",
    {
        "highlight": f"{_PRESETS}.highlight:HIGHLIGHT",
        "content-highlight": f"{_PRESETS}.content:CONTENT_HIGHLIGHT",
        "content-document": f"{_PRESETS}.content:CONTENT_DOCUMENT",
        "content-reference": f"{_PRESETS}.content:CONTENT_REFERENCE",
        "fluency": f"{_PRESETS}.linguistic:FLUENCY",
        "clarity": f"{_PRESETS}.linguistic:CLARITY",
        "likert": f"{_PRESETS}.likert:LIKERT",
        "quality": f"{_PRESETS}.quality:QUALITY",
        "overall": f"{_PRESETS}.overall:OVERALL",
        "pairwise": f"{_PRESETS}.pairwise:PAIRWISE",
    },
)


def get_protocol(name: str) -> Protocol:
    """The protocol of this name, ready to use or to be changed by `configured`."""
    found = PROTOCOLS.get(name)
    if not isinstance(found, Protocol):
        raise GistmarkError(f"What {PROTOCOLS.source(name)} offers as {name!r} is no protocol.")
    if faults := protocol_faults(found):
        raise GistmarkError(f"The protocol {name!r} cannot be used: {faults[0]}")
    return found
