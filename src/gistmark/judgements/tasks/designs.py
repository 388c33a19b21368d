"""Designs: the settings of a protocol that decide who judges what, and what each protects against.

`gistmark.judgements.tasks.batches` cuts the tasks accordingly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol


@dataclass(frozen=True, slots=True)
class Design:
    """A setting of a protocol: its label in a form, and a sentence on what it is for."""

    name: str
    label: str
    purpose: str

    def holds(self, protocol: Protocol) -> bool:
        """Whether the protocol has it switched on."""
        return bool(getattr(protocol, self.name))


DESIGNS = (
    Design(
        "one_per_document_and_annotator",
        "An annotator gets at most one item of a document",
        "It protects against carry-over: somebody who has read one summary of a document knows its "
        "content when the next one comes, and judges that against the first.",
    ),
    Design(
        "one_dimension_per_task",
        "A task asks one dimension",
        "It protects against halo: somebody who answers several questions about an item at once "
        "may let one answer colour the others, so that dimensions correlate more than they should.",
    ),
    Design(
        "judges_by_system",
        "Other numbers of annotators for some systems",
        "It spares work on systems that matter less, such as baselines; their means are less "
        "certain for it.",
    ),
    Design(
        "several_of_a_document",
        "A task may have several items of one document",
        "It lets annotators compare within a document, so that how strict somebody is and how hard "
        "a document is cancel; what they think of one summary depends on the others.",
    ),
    Design(
        "judge_references",
        "References are judged like the summaries of systems",
        "It protects against scores without a yardstick: how systems stand to what people write "
        "can only be told where the same annotators judged both.",
    ),
)
"""All of them; the settings page, `gistmark protocols` and the start of a campaign read this."""


def design(name: str) -> Design:
    """The design of this name."""
    return next(each for each in DESIGNS if each.name == name)


def designs_of(protocol: Protocol) -> Iterator[Design]:
    """Those that a protocol has switched on."""
    return (each for each in DESIGNS if each.holds(protocol))
