"""Adaptive campaigns: what is chosen, what is learnt, and that they stop."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.analysis.ranking.stopping import sequential_pairs
from gistmark.errors import UsageError
from gistmark.judgements.adaptive import outlook_of
from gistmark.web.annotate.models import AdaptiveState, Batch, Submission, Task
from gistmark.web.annotate.programs.simulation import run_simulation
from gistmark.web.annotate.services.adaptive import evidence_in, go_on, learn_anew, stop
from gistmark.web.annotate.services.claims import allocate, next_task
from gistmark.web.annotate.services.decisions import decide, undo
from gistmark.web.annotate.services.launch import start
from gistmark.web.annotate.services.pilots import keep_pilot, start_pilot
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.fewer import AdaptiveSettings, let_stop, make_adaptive
from gistmark.web.campaigns.services.protocols import change_protocol, outlook
from gistmark.web.config.errors import ConflictError, NotReadyError
from web.annotate.answering import claimed
from web.factories import make_campaign, make_corpus, make_user
from web.results.working import work_on

pytestmark = pytest.mark.django_db


def adaptive_campaign(
    protocol="pairwise", *, documents=10, systems=3, annotators=1, running=True, **options
) -> Campaign:
    people = tuple(make_user() for _ in range(annotators))
    settings = AdaptiveSettings(**options.pop("settings", {}))
    campaign = make_campaign(
        protocol,
        corpus=make_corpus(documents, systems),
        annotators=people,
        running=False,
        **{"judges": 1, "items_per_task": 1, **options},
    )
    for user in people:
        give_consent(campaign, user)
    make_adaptive(campaign, settings, campaign.owner)
    if running:
        start(campaign, campaign.owner)
    return campaign


def annotators_of(campaign):
    memberships = campaign.memberships.filter(role="annotator").order_by("pk")
    return [each.user for each in memberships.select_related("user")]


def known(campaign):
    return evidence_in(campaign, AdaptiveState.objects.get(campaign=campaign))


def counted(evidence):
    return {pair: bets.n for pair, bets in evidence.bets.items()}


def test_every_choice_is_logged_with_its_probability():
    campaign = adaptive_campaign()
    (user,) = annotators_of(campaign)
    for _ in range(8):
        work_on(campaign, user)
    chosen = Batch.objects.filter(campaign=campaign, open=0)
    assert sorted(chosen.values_list("among", flat=True)) == [23, 24, 25, 26, 27, 28, 29, 30]
    assert all(0.1 / 30 <= p <= 1 for p in chosen.values_list("probability", flat=True))
    events = campaign.events.filter(verb="took").values_list("about__probability", flat=True)
    assert set(events) == set(chosen.values_list("probability", flat=True))
    assert sum(counted(known(campaign)).values()) == 8


def test_a_document_counts_once_all_its_judges_are_in_and_begun_ones_are_finished_first():
    campaign = adaptive_campaign(judges=2, annotators=2)
    first, second = annotators_of(campaign)
    done = work_on(campaign, first)
    assert counted(known(campaign)) == {}
    assert claimed(campaign, second).batch_id == done.task.batch_id
    work_on(campaign, second)
    assert sum(counted(known(campaign)).values()) == 1


def test_ratings_of_one_document_in_one_task_are_compared():
    campaign = adaptive_campaign("overall", systems=4, items_per_task=2, several_of_a_document=True)
    (user,) = annotators_of(campaign)
    for _ in range(6):
        work_on(campaign, user)
    assert sum(counted(known(campaign)).values()) == 6
    assert Batch.objects.filter(campaign=campaign).count() == 20
    sizes = {batch.items.values("document").distinct().count() for batch in campaign.batches.all()}
    assert sizes == {1}


def test_rejected_work_and_decisions_are_learnt_anew():
    campaign = adaptive_campaign()
    (user,) = annotators_of(campaign)
    work = [work_on(campaign, user) for _ in range(5)]
    before = counted(known(campaign))
    decide(work[2], campaign.owner, "rejected", reason="A slip.")
    assert sum(counted(known(campaign)).values()) == 4
    undo(campaign, campaign.decision_groups.get().pk, campaign.owner)
    assert counted(known(campaign)) == before


def test_what_is_learnt_step_by_step_is_what_all_work_says_and_what_the_export_says():
    campaign = adaptive_campaign("pairwise", systems=4, items_per_task=2, annotators=2, judges=2)
    for _ in range(12):
        for user in annotators_of(campaign):
            work_on(campaign, user)
    stepwise = known(campaign)
    learn_anew(campaign)
    assert known(campaign) == stepwise
    corpus = exported_corpus(campaign)
    assert [turn.number for turn in corpus.sequence] == list(range(1, 49))
    replayed = {(p.left, p.right): (p.n, p.decided) for p in sequential_pairs(corpus)}
    decided = stepwise.decisions
    assert replayed == {
        pair: (stepwise.of(pair).n, decided[pair].verdict if pair in decided else "")
        for pair in stepwise.pairs
    }


def test_a_campaign_that_stopped_gives_out_nothing_but_takes_what_is_held():
    campaign = adaptive_campaign(annotators=2)
    first, second = annotators_of(campaign)
    held = claimed(campaign, first)
    stop(campaign, campaign.owner)
    assert next_task(campaign, second) is None
    assert next_task(campaign, first).pk == held.pk
    assert work_on(campaign, first) is not None
    assert next_task(campaign, first) is None
    assert campaign.events.filter(verb="stopped").count() == 1
    go_on(campaign, campaign.owner)
    assert next_task(campaign, second) is not None
    assert campaign.adaptive["stops"] is False


def test_tasks_cannot_be_allocated_up_front():
    campaign = adaptive_campaign()
    with pytest.raises(ConflictError, match="cannot be allocated up front"):
        allocate(campaign, annotators_of(campaign), campaign.owner)


def test_a_pilot_is_not_adaptive_and_its_work_is_learnt_when_it_is_kept():
    campaign = adaptive_campaign(running=False)
    (user,) = annotators_of(campaign)
    start_pilot(campaign, campaign.owner, annotators=1, tasks=4)
    for _ in range(4):
        work_on(campaign, user)
    assert Batch.objects.filter(campaign=campaign, probability__isnull=False).count() == 0
    keep_pilot(campaign, campaign.owner)
    assert sum(counted(known(campaign)).values()) == 4
    assert work_on(campaign, user) is not None
    weights = [turn.weight for turn in exported_corpus(campaign).sequence]
    assert weights[:4] == [1.0] * 4


def test_only_what_compares_systems_can_be_adaptive():
    campaign = make_campaign("highlight", running=False)
    with pytest.raises(UsageError, match="does neither"):
        make_adaptive(campaign, AdaptiveSettings(), campaign.owner)
    rated = adaptive_campaign(
        "overall", items_per_task=2, several_of_a_document=True, running=False
    )
    change_protocol(rated, {"items_per_task": 1}, rated.owner)
    assert "two or more summaries of one document" in str(outlook(rated).problems[-1])
    with pytest.raises(NotReadyError):
        start(rated, rated.owner)


def test_the_rule_is_fixed_by_the_start_but_stopping_is_not():
    campaign = adaptive_campaign()
    with pytest.raises(ConflictError, match="has started"):
        make_adaptive(campaign, AdaptiveSettings(level=0.2), campaign.owner)
    assert let_stop(campaign, False, campaign.owner).adaptive["stops"] is False
    plain = make_campaign("pairwise")
    with pytest.raises(ConflictError, match="not adaptive"):
        let_stop(plain, True, plain.owner)


def test_one_system_and_one_document_are_sentences():
    alone = make_campaign("pairwise", corpus=make_corpus(3, 1), running=False)
    make_adaptive(alone, AdaptiveSettings(), alone.owner)
    assert "nothing to compare" in " ".join(map(str, outlook(alone).problems))
    single = adaptive_campaign(documents=1, systems=2)
    (user,) = annotators_of(single)
    work_on(single, user)
    assert work_on(single, user) is None
    sentence = outlook_of(known(single)).sentence
    assert sentence.startswith("0 of 1 pair of systems decided; 1 still too close")


def test_a_choice_costs_no_more_queries_in_a_large_campaign(django_assert_max_num_queries):
    campaign = adaptive_campaign(documents=12, systems=6)
    (user,) = annotators_of(campaign)
    with django_assert_max_num_queries(20):
        assert next_task(campaign, user) is not None


@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_twenty_annotators_over_the_api_stop_by_the_rule_with_the_right_order():
    campaign = make_campaign(
        "pairwise", corpus=make_corpus(60, 3), running=False, judges=1, items_per_task=1
    )
    make_adaptive(campaign, AdaptiveSettings(), campaign.owner)
    start(campaign, campaign.owner)
    simulated = run_simulation(campaign, {"careful": 14, "noisy": 6}, seed=3)
    evidence = known(campaign)
    assert evidence.known
    better = {"left": 1, "right": -1}
    for each in evidence.decisions.values():
        gap = simulated.quality[each.left] - simulated.quality[each.right]
        assert gap * better[each.verdict] > 0
    assert campaign.events.filter(verb="stopped", user=None).count() == 1
    done = Submission.objects.filter(task__campaign=campaign).count()
    assert 10 < done < 150
    assert simulated.left == 180 - done
    assert not Task.objects.filter(campaign=campaign, state="held").exists()
    turns = exported_corpus(campaign).sequence
    assert len(turns) == done
    assert all(replace(turn, number=1).weight <= 10 for turn in turns)
