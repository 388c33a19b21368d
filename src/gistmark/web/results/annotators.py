"""How each annotator of a campaign is doing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Sum

from gistmark.web.annotate.models import Submission
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services import members_of


@dataclass(frozen=True, slots=True)
class AnnotatorWork:
    """The work of one annotator: tasks by state, those to review, and the time that they took.

    `seconds` is the sum over everything handed in. `agreement` is with the rest of the annotators,
    or None where it is not known or not defined.
    """

    name: str
    done: int
    rejected: int
    held: int
    to_review: int
    seconds: float
    agreement: float | None

    @property
    def handed_in(self) -> int:
        return self.done + self.rejected

    @property
    def seconds_each(self) -> float | None:
        """The mean time of a task that was handed in."""
        return self.seconds / self.handed_in if self.handed_in else None


def annotators_of(
    campaign: Campaign, agreement: Mapping[str, float | None] | None = None
) -> list[AnnotatorWork]:
    """Everybody who annotates or has annotated, those with most work first."""
    times = _times(campaign)
    found = [
        AnnotatorWork(
            name=member.name,
            done=member.progress.done,
            rejected=member.progress.rejected,
            held=member.progress.held,
            to_review=member.progress.flagged,
            seconds=times.get(member.name) or 0.0,
            agreement=(agreement or {}).get(member.name),
        )
        for member in members_of(campaign)
        if member.role == Membership.Role.ANNOTATOR or member.given
    ]
    return sorted(found, key=lambda each: (-each.handed_in, -each.held, each.name))


def _times(campaign: Campaign) -> dict[str, float | None]:
    handed_in = Submission.objects.filter(task__campaign=campaign, current=True).order_by()
    sums = handed_in.values("annotator__username").annotate(total=Sum("seconds"))
    return dict(sums.values_list("annotator__username", "total"))
