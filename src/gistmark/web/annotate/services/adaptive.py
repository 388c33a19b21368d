"""Adaptive campaigns: which batch comes next, what is known so far, and the end.

`gistmark.judgements.adaptive` decides what tells most, and when enough is known. A batch that
somebody has begun is finished first, because its documents count once all their judges are in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Count, QuerySet
from django.utils import timezone

from gistmark.judgements.adaptive import Choice, Evidence, Merits, choose, gaps_of, merits_of
from gistmark.judgements.answers import Result, judgements_from
from gistmark.judgements.tasks.items import Item
from gistmark.records import Turn, item_name
from gistmark.runtime.seeds import generator
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import AdaptiveState, Batch, Task
from gistmark.web.annotate.outcomes import accepted_results, results_as_they_came
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.fewer import adaptive_settings, let_stop, rule_of
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import ConflictError
from gistmark.web.config.storage.transactions import retried


@dataclass(frozen=True, slots=True)
class Chosen:
    """A batch to claim; without a choice it is one that others have begun."""

    batch: Batch
    choice: Choice | None


def chooses_adaptively(campaign: Campaign) -> bool:
    """Whether the next task is chosen by what is known; the tasks of a pilot are not."""
    return campaign.adaptive is not None and not campaign.in_pilot


def stopped_campaigns(campaigns: Collection[Campaign]) -> set[int]:
    """Those of the campaigns that give out no more tasks, because they have stopped."""
    adaptive = [each.pk for each in campaigns if chooses_adaptively(each)]
    if not adaptive:
        return set()
    stopped = AdaptiveState.objects.filter(campaign__in=adaptive, stopped_at__isnull=False)
    return set(stopped.values_list("campaign", flat=True))


class Chooser:
    """Chooses among the batches that one annotator has never had."""

    def __init__(self, campaign: Campaign, user: User, batches: QuerySet[Batch]) -> None:
        self._campaign = campaign
        self._user = user
        self._free = batches.filter(arm__isnull=False, open__gt=0)
        self._state = AdaptiveState.objects.only("arms", "merits", "stopped_at").get(
            campaign=campaign
        )

    @property
    def stopped(self) -> bool:
        return self._state.stopped_at is not None

    def choose(self, attempt: int) -> Chosen | None:
        """The next batch; None where none is free. Every attempt draws anew."""
        judges = self._campaign.judges
        if judges > 1:
            begun = self._free.filter(open__lt=judges).order_by("open", "number").first()
            if begun is not None:
                return Chosen(begun, None)
        arms = [tuple(systems) for systems in self._state.arms]
        tasks = {arms[arm]: count for arm, count in self._counts().items()}
        settings = adaptive_settings(self._campaign)
        assert settings is not None, "an adaptive campaign has settings"
        total = sum(tasks.values())
        rng = generator(self._campaign.seed, "adaptive", self._user.username, total, attempt)
        choice = choose(tasks, _merits(self._state), settings.floor, float(rng.random()))
        if choice is None:
            return None
        own = self._free.filter(arm=arms.index(choice.systems)).order_by("number")
        batch = own[choice.index : choice.index + 1].first()
        return None if batch is None else Chosen(batch, choice)

    def _counts(self) -> Counter[int]:
        """How many batches are free for this annotator, by their systems.

        All are counted by an index alone, and those that they have had are taken off.
        """
        every = Batch.objects.filter(campaign=self._campaign, arm__isnull=False, open__gt=0)
        grouped = every.order_by().values_list("arm").annotate(Count("pk"))
        had = every.filter(tasks__annotator=self._user).order_by().values_list("arm", flat=True)
        counts = Counter(dict(grouped))
        counts.subtract(had)
        return counts


def note_choice(batch: Batch, chosen: Chosen | None) -> dict[str, Any]:
    """Write down with which probability a locked batch was chosen; the audit trail has it too."""
    if chosen is None or chosen.choice is None:
        return {}
    batch.probability, batch.among = chosen.choice.probability, chosen.choice.among
    batch.save(update_fields=["probability", "among"])
    return {"probability": batch.probability, "among": batch.among}


def arms_for(campaign: Campaign, batches: Iterable[list[Item]]) -> Iterator[int | None]:
    """The index of each batch's systems among the arms of an adaptive campaign, which it adds."""
    if campaign.adaptive is None:
        return (None for _ in batches)
    kept = AdaptiveState.objects.filter(campaign=campaign).first()
    known = {tuple(systems): number for number, systems in enumerate(kept.arms if kept else [])}
    arms = []
    for items in batches:
        systems = tuple(sorted({name for item in items for name in item.systems}))
        arms.append(known.setdefault(systems, len(known)))
    evidence = Evidence(rule_of(campaign), tuple(sorted({n for each in known for n in each})))
    state = {"arms": list(known), **_as_stored(evidence)}
    AdaptiveState.objects.update_or_create(campaign=campaign, defaults=state)
    return iter(arms)


def learn(task: Task, *, edited: bool) -> None:
    """Take in what was submitted to a task of a locked batch, once its batch is complete."""
    campaign = task.campaign
    if not chooses_adaptively(campaign) or task.batch.arm is None:
        return
    if edited:
        learn_anew(campaign)
        return
    results = list(accepted_results(campaign, [task.batch_id]))
    if len(results) != rule_of(campaign).judges or task.state != Task.State.DONE:
        return
    state = _locked(campaign)
    _keep(campaign, state, evidence_in(campaign, state).add(_gaps(campaign, results)))


def learn_anew(campaign: Campaign) -> None:
    """Compute what is known again from all work that counts, after an outcome has changed."""
    if not chooses_adaptively(campaign):
        return
    state = _locked(campaign)
    rule = rule_of(campaign)
    evidence = Evidence(rule, evidence_in(campaign, state).systems)
    waiting: dict[int, list[Result]] = {}
    for each in results_as_they_came(campaign):
        own = waiting.setdefault(each.batch, [])
        own.append(each.result)
        if len(own) == rule.judges:
            evidence = evidence.add(_gaps(campaign, own))
    _keep(campaign, state, evidence)


@retried
def stop(campaign: Campaign, by: User | None) -> None:
    """Give out no more tasks; what annotators hold they may finish."""
    state = _demand_state(campaign)
    if state.stopped_at is None:
        state.stopped_at = timezone.now()
        state.save(update_fields=["stopped_at"])
        record(campaign, by, "stopped", **_about(evidence_in(campaign, state)))


@retried
def go_on(campaign: Campaign, by: User | None) -> None:
    """Give out tasks again; the campaign does not stop by itself any more."""
    state = _demand_state(campaign)
    if state.stopped_at is not None:
        let_stop(campaign, False, by)
        state.stopped_at = None
        state.save(update_fields=["stopped_at"])
        record(campaign, by, "went-on")


def evidence_in(campaign: Campaign, state: AdaptiveState) -> Evidence:
    """What an adaptive campaign knows."""
    return Evidence.from_mapping(rule_of(campaign), state.evidence)


def sequence_of(campaign: Campaign, *, undecided: bool = False) -> tuple[Turn, ...]:
    """The judgements of an adaptive campaign in their order, each with how its task was chosen.

    Tasks of a pilot were not chosen adaptively, and count as chosen by chance.
    """
    if campaign.adaptive is None:
        return ()
    rule = rule_of(campaign).signature
    turns: list[Turn] = []
    for each in results_as_they_came(campaign, undecided=undecided):
        for document, systems in _items(each.result):
            turns.append(
                Turn(
                    len(turns) + 1,
                    document,
                    item_name(systems),
                    each.result.task.annotator,
                    1.0 if each.probability is None else each.probability,
                    each.among or 1,
                    rule,
                )
            )
    return tuple(turns)


def _items(result: Result) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a task compares: the summaries of a document that were rated, or each pair."""
    rated: dict[str, set[str]] = {}
    compared = []
    for entry in result.task.entries:
        if entry.document is None or entry.planted is not None:
            continue
        if len(entry.systems) == 1:
            rated.setdefault(entry.document, set()).update(entry.systems)
        else:
            compared.append((entry.document, tuple(sorted(entry.systems))))
    yield from ((document, tuple(sorted(systems))) for document, systems in sorted(rated.items()))
    yield from sorted(compared)


def _gaps(campaign: Campaign, results: list[Result]) -> Any:
    judged = judgements_from(results, protocol_of(campaign))
    return gaps_of(rule_of(campaign), (*judged.ratings, *judged.comparisons))


def _demand_state(campaign: Campaign) -> AdaptiveState:
    if not chooses_adaptively(campaign) or campaign.state == Campaign.State.DRAFT:
        raise ConflictError(f"The campaign {campaign.name!r} is not adaptive, or has not started.")
    return _locked(campaign)


def _locked(campaign: Campaign) -> AdaptiveState:
    return AdaptiveState.objects.select_for_update(no_key=True, of=("self",)).get(campaign=campaign)


def _keep(campaign: Campaign, state: AdaptiveState, evidence: Evidence) -> None:
    """Store what is known, and stop where that is enough."""
    for name, value in _as_stored(evidence).items():
        setattr(state, name, value)
    settings = adaptive_settings(campaign)
    ends = evidence.known and settings is not None and settings.stops and state.stopped_at is None
    if ends:
        state.stopped_at = timezone.now()
        record(campaign, None, "stopped", **_about(evidence))
    state.save()


def _about(evidence: Evidence) -> dict[str, int]:
    return {"decided": len(evidence.decisions), "pairs": len(evidence.pairs)}


def _as_stored(evidence: Evidence) -> dict[str, Any]:
    merits = {
        name: [[*pair, value] for pair, value in each.items()]
        for name, each in asdict(merits_of(evidence)).items()
    }
    return {"evidence": evidence.to_mapping(), "merits": merits}


def _merits(state: AdaptiveState) -> Merits:
    gains, progress = (
        {(left, right): value for left, right, value in state.merits[name]}
        for name in ("gains", "progress")
    )
    return Merits(gains, progress)
