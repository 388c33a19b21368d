"""Who gets no further task: the limit of an annotator, and pilots that are full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import cast

from django.db.models import QuerySet

from gistmark.judgements.tasks.slots import SUBMITTED, State, admits, takes_part
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.models import Campaign, Membership


def finished(campaigns: Iterable[Campaign], user: User) -> set[int]:
    """Those of the campaigns in which this annotator has submitted all tasks that they may."""
    limited = dict(
        Membership.objects.filter(
            user=user, campaign__in=campaigns, most_tasks__isnull=False
        ).values_list("campaign", "most_tasks")
    )
    if not limited:
        return set()
    submitted = Counter(
        submitted_by(user).filter(campaign__in=limited).values_list("campaign", flat=True)
    )
    return {pk for pk, most in limited.items() if most is not None and submitted[pk] >= most}


def is_last(task: Task) -> bool:
    """Whether this is the last task that its annotator may submit in the campaign."""
    user = task.annotator
    assert user is not None, "only annotators have tasks"
    membership = Membership.objects.filter(campaign=task.campaign, user=user).first()
    if membership is None or membership.most_tasks is None:
        return False
    others = submitted_by(user).filter(campaign=task.campaign).exclude(pk=task.pk)
    return others.count() + 1 >= membership.most_tasks


def submitted_by(user: User) -> QuerySet[Task]:
    """The tasks that somebody has submitted, whatever became of them."""
    return Task.objects.filter(annotator=user, state__in=SUBMITTED)


def full_pilots(campaigns: Iterable[Campaign], user: User) -> set[int]:
    """Those of the campaigns whose pilot is full, and this annotator is not part of it.

    A machine works beside them, so no pilot is full for it.
    """
    pilots = [each for each in campaigns if each.in_pilot and not user.machine]
    people = taking_part(pilots)
    return {each.pk for each in pilots if not admits(people[each.pk], user.pk, each.judges)}


def taking_part(campaigns: Collection[Campaign]) -> Mapping[int, set[int]]:
    """The numbers of the annotators who do each campaign's pilot, by that of the campaign."""
    people: dict[int, set[int]] = {each.pk: set() for each in campaigns}
    if people:
        tasks = Task.objects.filter(campaign__in=people, annotator__isnull=False, machine=False)
        columns = ("campaign_id", "annotator_id", "state")
        for campaign, annotator, state in tasks.order_by().values_list(*columns).distinct():
            if takes_part(cast(State, state)):
                people[campaign].add(annotator)
    return people
