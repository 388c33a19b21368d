"""Forms: protocols that are composed of blocks.

A block shows something or asks something. A type of block is one class (`base.Block`,
`base.QuestionBlock`), and for a question an ES module of the same name that builds its control
(`annotate/questions/form/TYPE.js` in `web/interface/static`). To add one, write the two and name
the class below. A package can add one through an entry point of `gistmark.block_types`. `form`
joins the blocks into one question type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gistmark.corpus.fields import NAME, OneOf
from gistmark.judgements.fields import Fault, Fields, ProtocolError
from gistmark.judgements.forms.base import Block, Condition, Plain, QuestionBlock
from gistmark.judgements.forms.inputs import described
from gistmark.registry import Registry

__all__ = [
    "BLOCK_TYPES",
    "Block",
    "Condition",
    "QuestionBlock",
    "block_from",
    "block_types",
    "read_block",
    "values_of",
]

_HERE = "gistmark.judgements.forms"

BLOCK_TYPES: Registry[type[Block]] = Registry(
    "block type",
    "gistmark.block_types",
    {
        "show": f"{_HERE}.shown:ShowBlock",
        "note": f"{_HERE}.shown:NoteBlock",
        "likert": f"{_HERE}.scales:LikertBlock",
        "slider": f"{_HERE}.scales:SliderBlock",
        "choice": f"{_HERE}.choice:ChoiceBlock",
        "choices": f"{_HERE}.choice:ChoicesBlock",
        "yes-no": f"{_HERE}.choice:YesNoBlock",
        "text": f"{_HERE}.text:TextBlock",
        "ranking": f"{_HERE}.ranking:RankingBlock",
        "best-worst": f"{_HERE}.ranking:BestWorstBlock",
        "spans": f"{_HERE}.spans:SpansBlock",
        "pairwise": f"{_HERE}.pairwise:PairwiseBlock",
    },
    base=Block,
)


def block_types() -> list[dict[str, Any]]:
    """Every type of block as the designer of a protocol knows it (`inputs.described`)."""
    return [described(BLOCK_TYPES.get(name)) for name in BLOCK_TYPES]


def values_of(mapping: Any) -> tuple[Plain, ...]:
    """The values that a condition can name of the question that a mapping describes.

    None where it asks nothing, or where the settings that decide them cannot be read; a name, a
    text or a condition that is still missing does not matter.
    """
    if not isinstance(mapping, Mapping):
        return ()
    common = dict.fromkeys(("guidance", "required", "when", "expected"))
    try:
        block = block_from({**mapping, **common, "name": "name", "question": "question"})
    except ProtocolError:
        return ()
    return block.condition_values() if isinstance(block, QuestionBlock) else ()


def read_block(given: Fields) -> Block | None:
    """The block that an object describes; None where something is wrong, which `given` notes."""
    before = len(given.faults)
    name = given.take("type", OneOf(BLOCK_TYPES.names()) if given.has("type") else NAME)
    if name is None:
        return None
    block = BLOCK_TYPES.get(name).from_fields(given)
    given.refuse_others()
    return block if len(given.faults) == before else None


def block_from(mapping: Any) -> Block:
    """The block that a mapping describes; a `ProtocolError` has everything that is wrong."""
    faults: list[Fault] = []
    block = read_block(Fields(mapping, faults))
    if block is None:
        raise ProtocolError(faults)
    return block
