"""Campaigns: corpus, protocol, settings, and the steps of their life."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import CorpusError, UsageError
from gistmark.judgements import ProtocolError, get_protocol
from gistmark.records import Document, Highlight, Machine, Summary
from gistmark.web.annotate.models import Batch, Task
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import (
    change_settings,
    close,
    create_campaign,
    pause,
    resume,
)
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.campaigns.services.protocols import (
    change_protocol,
    outlook,
    protocol_of,
    readiness,
)
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotReadyError
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db


def test_the_corpus_comes_back_from_the_database_as_it_was():
    corpus = load(sample_folder())
    campaign = make_campaign(corpus=corpus, running=False)
    stored = replace(corpus, ratings=(), comparisons=())
    assert corpus_of(campaign) == stored


def test_that_a_system_is_only_a_number_is_kept():
    corpus = make_corpus(documents=3)
    numbered = replace(
        corpus, summaries=tuple(replace(each, anonymous=True) for each in corpus.summaries)
    )
    campaign = make_campaign(corpus=numbered, running=False)
    assert corpus_of(campaign).anonymous_systems == numbered.anonymous_systems != frozenset()


def test_heat_maps_are_people_s_and_machines_stay_machines():
    corpus = make_corpus(documents=1)
    ann, robot = (Highlight("d1", name, 0, 3) for name in ("ann", "robot"))
    both = replace(corpus, highlights=(ann, robot), machines=(Machine("robot", "tiny"),))
    stored = corpus_of(make_campaign(corpus=both, running=False))
    assert (stored.highlights, stored.machines) == ((ann,), ())
    alone = replace(both, highlights=(robot,))
    stored = corpus_of(make_campaign(corpus=alone, running=False))
    assert stored.highlights == (replace(robot, annotator="machine:robot"),)
    assert stored.machine_names == {"machine:robot"}


def test_a_part_of_the_corpus_is_what_is_about_some_documents():
    corpus = make_corpus(documents=3)
    campaign = make_campaign(corpus=corpus, running=False)
    part = corpus_of(campaign, ["d2"])
    assert [document.id for document in part.documents] == ["d2"]
    assert {summary.document for summary in part.summaries} == {"d2"}
    assert [question.document for question in part.questions] == ["d2"]
    assert corpus_of(campaign, []) == Corpus()


def test_what_no_database_can_hold_is_told_and_nothing_is_made():
    corpus = Corpus(
        documents=(Document("a\x00", ("text",)), Document("b", ("t",), lang="x" * 40)),
        summaries=(Summary("b", "s" * 501, "text"),),
        highlights=(Highlight("b", "ann", 0, 2**31),),
    )
    with pytest.raises(CorpusError) as caught:
        make_campaign(corpus=corpus, name="never made")
    assert [problem.message for problem in caught.value.problems] == [
        "Document 1 has a NUL character (U+0000), which cannot be stored.",
        "The system of summary 1 has more than 500 characters.",
        "The lang of document 2 has more than 35 characters.",
        "The end or the budget of highlight 1 is above 2,147,483,647.",
    ]
    assert not Campaign.objects.filter(name="never made").exists()


def test_the_owner_manages_and_annotators_own_nothing():
    campaign = make_campaign(running=False)
    assert campaign.memberships.get().role == "manager"
    with pytest.raises(NotAllowedError, match="cannot own a campaign"):
        make_campaign(owner=make_user("annotator"))


@pytest.mark.parametrize("name", ["", "   ", "x" * 201, "a\x00b", "a\x07b"])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(UsageError, match="needs a name of 1 to 200"):
        create_campaign(
            owner=make_user("manager"),
            name=name,
            protocol=get_protocol("overall"),
            corpus=make_corpus(),
        )


def test_two_campaigns_have_two_names():
    make_campaign(name="News 2024", running=False)
    with pytest.raises(UsageError, match="already a campaign named 'News 2024'"):
        make_campaign(name=" News   2024 ", running=False)
    other = make_campaign(running=False)
    with pytest.raises(UsageError, match="already a campaign named"):
        change_settings(other, None, name="News 2024")


def test_the_protocol_changes_only_before_the_start():
    campaign = make_campaign(running=False)
    change_protocol(campaign, {"judges": 5, "checks": {"too_fast": "off"}}, campaign.owner)
    assert protocol_of(Campaign.objects.get(pk=campaign.pk)).judges == 5
    assert campaign.judges == 5
    with pytest.raises(ProtocolError, match="judges"):
        change_protocol(campaign, {"judges": 0}, campaign.owner)
    start(campaign, None)
    with pytest.raises(ConflictError, match="has started"):
        change_protocol(campaign, {"judges": 2}, campaign.owner)


def test_settings_change_at_any_time_and_are_audited():
    campaign = make_campaign()
    change_settings(campaign, None, name="Other", lease_minutes=5, registration_open=True)
    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.name, stored.lease_minutes, stored.registration_open) == ("Other", 5, True)
    event = campaign.events.get(verb="settings-changed")
    assert event.about == {"name": "Other", "lease_minutes": 5, "registration_open": True}
    change_settings(campaign, None, lease_minutes=5)
    assert campaign.events.filter(verb="settings-changed").count() == 1
    for minutes in (0, -1, 10**9):
        with pytest.raises(UsageError, match="A lease lasts"):
            change_settings(campaign, None, lease_minutes=minutes)


def test_people_join_once_and_only_managers_manage():
    campaign, ann = make_campaign(), make_user()
    first = add_member(campaign, ann)
    assert add_member(campaign, ann) == first
    assert campaign.events.filter(verb="joined").count() == 1
    with pytest.raises(NotAllowedError, match="cannot manage a campaign"):
        add_member(campaign, ann, "manager")
    with pytest.raises(UsageError, match="A role is manager or annotator"):
        add_member(campaign, ann, "king")
    with pytest.raises(ConflictError, match="owns the campaign"):
        add_member(campaign, campaign.owner, "annotator")


def test_consent_is_noted_once():
    campaign, ann = make_campaign(), make_user()
    with pytest.raises(NotAllowedError, match="do not take part"):
        give_consent(campaign, ann)
    add_member(campaign, ann)
    at = give_consent(campaign, ann).at
    assert give_consent(campaign, ann).at == at


def test_starting_makes_every_slot():
    campaign = make_campaign(judges=3, items_per_task=2)  # 2 documents x 2 systems, 2 per task
    assert campaign.state == "running"
    assert campaign.started_at is not None
    assert sorted(Task.objects.values_list("slot", flat=True)) == [
        "1.1", "1.2", "1.3", "2.1", "2.2", "2.3",
    ]  # fmt: skip
    for batch in Batch.objects.all():
        assert batch.open == 3
        assert len({item.document for item in batch.read_items()}) == 2


def test_starting_does_not_ask_the_database_for_every_document(django_assert_max_num_queries):
    campaign = make_campaign(corpus=make_corpus(documents=100), running=False)
    with django_assert_max_num_queries(52):
        start(campaign, None)


def test_the_way_of_a_campaign():
    campaign = make_campaign()
    for step, state in (
        (pause, "paused"),
        (resume, "running"),
        (pause, "paused"),
        (close, "closed"),
    ):
        step(campaign, None)
        assert campaign.state == Campaign.objects.get(pk=campaign.pk).state == state
    assert campaign.closed_at is not None


@pytest.mark.parametrize(
    ("steps", "wrong", "sentence"),
    [
        ([], start, "is running and cannot be started: only one that is a draft can"),
        ([], resume, "is running and cannot be resumed: only one that is paused can"),
        ([pause], pause, "is paused and cannot be paused"),
        ([close], resume, "is closed and cannot be resumed"),
        ([close], close, "is closed and cannot be closed: only one that is running or paused can"),
    ],
)
def test_a_step_that_does_not_follow_is_refused(steps, wrong, sentence):
    campaign = make_campaign()
    for step in steps:
        step(campaign, None)
    with pytest.raises(ConflictError, match=sentence):
        wrong(campaign, None)


def test_a_draft_can_only_be_started():
    campaign = make_campaign(running=False)
    for step in (pause, resume, close):
        with pytest.raises(ConflictError, match="is a draft and cannot be"):
            step(campaign, None)


def test_a_campaign_without_its_checks_is_not_ready():
    corpus = replace(make_corpus(), questions=(), planted=())
    campaign = make_campaign("content-document", corpus=corpus, running=False)
    assert [str(problem) for problem in readiness(campaign)] == [
        "Document 'd1' has no True/False statement about its text.",
        "Document 'd2' has no True/False statement about its text.",
    ]
    with pytest.raises(NotReadyError, match="cannot start yet:\n  Document 'd1' has no") as caught:
        start(campaign, None)
    assert len(caught.value.problems) == 2
    assert not Task.objects.exists()
    planting = make_campaign("fluency", corpus=corpus, running=False)
    assert "there are none to plant" in str(readiness(planting)[0])


def test_what_cannot_be_judged_is_told_but_keeps_nothing_from_starting():
    corpus = make_corpus()
    untitled = replace(
        corpus, documents=(corpus.documents[0], replace(corpus.documents[1], title=None))
    )
    campaign = make_campaign("quality", corpus=untitled)
    assert [str(problem) for problem in outlook(campaign).selection.problems] == [
        "The summary of document 'd2' by 'sys1' cannot be judged: it lacks a title.",
        "The summary of document 'd2' by 'sys2' cannot be judged: it lacks a title.",
    ]
    assert Batch.objects.count() == 2


def test_a_campaign_with_nothing_to_judge_is_not_ready():
    corpus = Corpus(summaries=make_corpus().summaries)
    campaign = make_campaign("content-document", corpus=corpus, running=False)
    assert str(readiness(campaign)[0]) == "There is nothing to judge in the corpus."
