"""New campaigns: their corpus in the database and back, their protocol, their settings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import CorpusError, UsageError
from gistmark.judgements import ProtocolError, get_protocol
from gistmark.records import Document, Highlight, Summary
from gistmark.web.annotate.services import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import (
    add_member,
    change_protocol,
    change_settings,
    corpus_of,
    create_campaign,
    give_consent,
    protocol_of,
)
from gistmark.web.config.errors import ConflictError, NotAllowedError
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
        "Highlight 1 has a number above 2,147,483,647.",
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
    at = give_consent(campaign, ann).consented_at
    assert give_consent(campaign, ann).consented_at == at
