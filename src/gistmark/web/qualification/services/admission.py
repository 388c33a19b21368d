"""Who may begin with the tasks of a campaign, and what the others have to do first.

A qualification counts in the campaign in which it was earned. It carries over to another campaign
that names the same qualification, if the owner of that one manages the first: so nobody can grant
a qualification for the campaigns of strangers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.translation import gettext, gettext_noop

from gistmark.judgements.tasks.practice import COMPREHENSION_TRIES, History, Stage, stage_of
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaigns_managed_by
from gistmark.web.config.errors import NotAllowedError
from gistmark.web.qualification.models import (
    ComprehensionAttempt,
    PracticeAttempt,
    PracticeSettings,
    Qualification,
)

_SENTENCES: Mapping[Stage, str] = {
    "comprehension": gettext_noop(
        "Please answer a few questions about this study before the first task."
    ),
    "practice": gettext_noop("Please do the practice before the first task."),
    "misunderstood": gettext_noop(
        "Thank you for your interest. Some of your answers to the questions about this study were "
        "not right in either try, so there are no tasks for you in it."
    ),
    "failed": gettext_noop(
        "Thank you for your time and your care. Your answers in the practice stayed below the pass "
        "mark, so there are no tasks for you in this campaign."
    ),
    "unqualified": gettext_noop(
        "Thank you for your interest. The tasks of this campaign are for those who qualified for "
        "them in an earlier one."
    ),
    "withdrawn": gettext_noop(
        "Thank you for your work. You are no longer qualified for the tasks of this campaign; its "
        "manager can tell you why."
    ),
}


@dataclass(frozen=True, slots=True)
class Admission:
    """What comes next for somebody in a campaign; `tries_left` is of what comes next."""

    stage: Stage
    tries_left: int = 0
    qualification: str = ""

    @property
    def ready(self) -> bool:
        return self.stage == "ready"

    @property
    def ended(self) -> bool:
        """Whether there is nothing that they could do to be admitted."""
        return self.stage in ("misunderstood", "failed", "unqualified", "withdrawn")

    @property
    def sentence(self) -> str:
        """Why there is no task yet, or why there will be none."""
        return "" if self.ready else gettext(_SENTENCES[self.stage])


def admission(campaign: Campaign, user: User) -> Admission:
    """What comes next for an annotator of this campaign."""
    return _admissions([user], [campaign])[user.pk, campaign.pk]


def admissions(user: User, campaigns: Iterable[Campaign]) -> dict[int, Admission]:
    """The same for many campaigns by their primary keys, in a bounded number of queries."""
    found = _admissions([user], list(campaigns))
    return {campaign: each for (_, campaign), each in found.items()}


def admissions_of(campaign: Campaign, users: Iterable[User]) -> dict[int, Admission]:
    """The same for many annotators by their primary keys, in a bounded number of queries."""
    found = _admissions(list(users), [campaign])
    return {user: each for (user, _), each in found.items()}


def demand_admitted(campaign: Campaign, user: User) -> None:
    """Refuse tasks to somebody who has not passed what the campaign demands."""
    found = admission(campaign, user)
    if not found.ready:
        raise NotAllowedError(found.sentence)


Pair = tuple[int, int]
"""The primary keys of an annotator and a campaign."""


def _admissions(users: list[User], campaigns: list[Campaign]) -> dict[Pair, Admission]:
    """A machine has nothing to practise: it is as good as its model, and is held against people."""
    demands = _demands([campaign.pk for campaign in campaigns])
    demanding = [campaign for campaign in campaigns if campaign.pk in demands]
    histories = _histories(users, demanding, demands) if demanding and users else {}
    return {
        (user.pk, campaign.pk): _admission(demands[campaign.pk], histories[user.pk, campaign.pk])
        if campaign.pk in demands and not user.machine
        else Admission("ready")
        for user in users
        for campaign in campaigns
    }


@dataclass(frozen=True, slots=True)
class _Demand:
    """What a campaign demands."""

    settings: PracticeSettings
    questions: int
    items: int


def _demands(campaigns: list[int]) -> dict[int, _Demand]:
    """The demands of those campaigns that have any; settings never stored have their defaults."""
    answered = Q(practice_items__right__isnull=False)
    rows = (
        Campaign.objects.filter(pk__in=campaigns)
        .select_related("practice")
        .annotate(asked=Count("comprehension", distinct=True))
        .annotate(practised=Count("practice_items", filter=answered, distinct=True))
    )
    stored = {row.pk: getattr(row, "practice", None) for row in rows}
    return {
        row.pk: _Demand(stored[row.pk] or PracticeSettings(), row.asked, row.practised)
        for row in rows
        if stored[row.pk] or row.asked or row.practised
    }


def _histories(
    users: list[User], campaigns: list[Campaign], demands: dict[int, _Demand]
) -> dict[Pair, History]:
    counting = {"user__in": users, "campaign__in": campaigns, "forgiven": False}
    tried = ComprehensionAttempt.objects.filter(**counting)
    outcomes = Counter(tried.values_list("user", "campaign", "passed"))
    failed = PracticeAttempt.objects.filter(**counting, passed=False)
    failures = Counter(failed.values_list("user", "campaign"))
    qualified, withdrawn = _qualified(users, campaigns, demands)
    pairs = ((user.pk, campaign.pk) for user in users for campaign in campaigns)
    return {
        pair: History(
            understood=outcomes[*pair, True] > 0,
            misunderstandings=outcomes[*pair, False],
            failures=failures[pair],
            qualified=pair in qualified,
            withdrawn=pair in withdrawn,
        )
        for pair in pairs
    }


def _qualified(
    users: list[User], campaigns: list[Campaign], demands: dict[int, _Demand]
) -> tuple[set[Pair], set[Pair]]:
    """For which campaigns people are qualified, and for which that was withdrawn."""
    names = {demands[campaign.pk].settings.qualification for campaign in campaigns} - {""}
    rows = Qualification.objects.filter(
        Q(campaign__in=campaigns) | Q(name__in=names), user__in=users
    ).values_list("user", "campaign", "name", "withdrawn_at")
    active = {(user, source): name for user, source, name, withdrawn in rows if withdrawn is None}
    withdrawn = {(user, source) for user, source, _, _ in rows} - active.keys()
    managed = _managed_by_owners(campaigns) if names and active else {}
    carried = {
        (user, campaign.pk)
        for (user, source), name in active.items()
        for campaign in campaigns
        if name
        and name == demands[campaign.pk].settings.qualification
        and source in managed[campaign.owner_id]
    }
    return active.keys() | (carried - withdrawn), withdrawn


def _managed_by_owners(campaigns: list[Campaign]) -> dict[int, set[int]]:
    """What the owners of these campaigns manage, by owner."""
    owners = User.objects.filter(pk__in={campaign.owner_id for campaign in campaigns})
    return {
        owner.pk: set(campaigns_managed_by(owner).values_list("pk", flat=True)) for owner in owners
    }


def _admission(demand: _Demand, history: History) -> Admission:
    wanted = demand.settings
    stage = stage_of(
        history,
        questions=demand.questions,
        items=demand.items,
        required=wanted.required,
        qualification=wanted.qualification,
        tries=wanted.tries,
    )
    left = {
        "comprehension": COMPREHENSION_TRIES - history.misunderstandings,
        "practice": wanted.tries - history.failures,
    }
    return Admission(stage, left.get(stage, 0), wanted.qualification)
