"""Completion codes: what crowd workers show to their market to be paid.

A code is derived from a key of the campaign and the number of its task, so that it outlives a move
to another machine. It is the same whatever the checks said, so it gives no verdict away.
"""

from __future__ import annotations

from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.codes import derived_code

_LETTERS = 12


def completion_code(task: int, campaign: Campaign) -> str:
    """The code of the campaign's task of this number, such as `K7QF-2MZD-XW4A`."""
    return derived_code("gistmark.crowd", str(task), letters=_LETTERS, key=campaign.code_key)


def shown_code(task: Task, campaign: Campaign) -> str | None:
    """The code that the task's annotator and the managers may see; None before its time.

    Nobody is paid for the work of a machine, so it has none.
    `campaign` is the task's. It is given so that nothing needs to be looked up.
    """
    if not campaign.completion_codes or not task.submitted or task.machine:
        return None
    return completion_code(task.pk, campaign)
