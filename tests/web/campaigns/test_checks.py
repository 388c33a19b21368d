"""Generated checks, and their review before the campaign starts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.corpus import load, sample_folder
from gistmark.errors import UsageError
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.services.checks import (
    add_planted,
    add_question,
    approve,
    approve_all,
    generate_checks,
    question_of,
    remove,
    rewrite_planted,
    rewrite_question,
    triple_of,
)
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.protocols import readiness
from gistmark.web.config.errors import ConflictError, NotFoundError
from web.factories import make_campaign, make_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def bare():
    """A corpus without questions and planted summaries."""
    return replace(load(sample_folder()), questions=(), planted=())


def test_what_is_missing_is_generated_and_counts_once_it_is_approved(bare):
    campaign = make_campaign("content-document", corpus=bare, running=False)
    made = generate_checks(campaign, campaign.owner)
    assert (made.questions, made.planted) == (28, 0)  # a true and a false one for 14 documents
    assert corpus_of(campaign).questions == ()
    assert len(readiness(campaign)) == 14
    approve(campaign.questions.first(), campaign.owner)
    assert len(readiness(campaign)) == 13
    assert approve_all(campaign, campaign.owner) == 27
    assert readiness(campaign) == ()
    start(campaign, None)


def test_planted_summaries_are_generated_for_protocols_that_plant(bare):
    campaign = make_campaign("fluency", corpus=bare, running=False)
    made = generate_checks(campaign, None)
    assert (made.questions, made.planted) == (0, 14)
    assert readiness(campaign) != ()
    approve_all(campaign, None)
    assert readiness(campaign) == ()


def test_nothing_is_generated_twice_and_nothing_that_is_not_needed(bare):
    campaign = make_campaign("content-document", corpus=bare, running=False)
    generate_checks(campaign, None)
    assert generate_checks(campaign, None).questions == 0
    plain = make_campaign("overall", corpus=bare, running=False)
    made = generate_checks(plain, None)
    assert (made.questions, made.planted, made.problems) == (0, 0, ())


def test_what_was_removed_comes_back_drawn_anew(bare):
    campaign = make_campaign("content-document", corpus=bare, running=False)
    generate_checks(campaign, None)
    before = set(campaign.questions.values_list("statement", flat=True))
    for question in campaign.questions.all():
        remove(question, None)
    generate_checks(campaign, None)
    assert set(campaign.questions.values_list("statement", flat=True)) != before


def test_what_cannot_be_generated_is_told(bare):
    short = replace(bare.documents[0], texts=("Short.",))
    corpus = replace(bare, documents=(short, *bare.documents[1:]), highlights=())
    campaign = make_campaign("content-document", corpus=corpus, running=False)
    made = generate_checks(campaign, None)
    assert made.questions == 26
    assert "can be made into a statement; write one" in str(made.problems[0])


def test_a_rewritten_check_is_approved():
    campaign = make_campaign(running=False)
    question = campaign.questions.first()
    question.approved = False
    question.save()
    rewrite_question(question, statement="  The bridge is red. ", answer=False, by=None)
    stored = question_of(campaign, question.pk)
    assert (stored.statement, stored.answer, stored.approved) == (
        "The bridge is red.", False, True,
    )  # fmt: skip
    planted = campaign.planted.first()
    rewrite_planted(planted, good="A b c.", mediocre="A b b c.", bad="C b a.", by=None)
    assert triple_of(campaign, planted.pk).bad == "C b a."


def test_checks_can_be_written_by_hand():
    corpus = replace(make_corpus(), questions=(), planted=())
    campaign = make_campaign("content-document", corpus=corpus, running=False)
    for name in ("d1", "d2"):
        add_question(
            campaign, document=name, statement="It rains.", answer=False, about="document", by=None
        )
    assert readiness(campaign) == ()
    add_planted(campaign, good="Good.", mediocre="Fair.", bad="Bad.", by=None)
    assert corpus_of(campaign).planted[0].bad == "Bad."


def test_checks_that_make_no_sense_are_refused():
    campaign = make_campaign(running=False)
    question, planted = campaign.questions.first(), campaign.planted.first()
    for statement in ("", " \n", "x" * 20_001, "a\x00b"):
        with pytest.raises(UsageError, match="The statement must be text of 1 to 20,000"):
            rewrite_question(question, statement=statement, answer=True, by=None)
    with pytest.raises(UsageError, match="must differ from each other"):
        rewrite_planted(planted, good="a", mediocre="a ", bad="b", by=None)
    with pytest.raises(UsageError, match="The bad summary must be text"):
        add_planted(campaign, good="a", mediocre="b", bad="", by=None)
    with pytest.raises(UsageError, match="There is no document 'd9'"):
        add_question(campaign, document="d9", statement="s", answer=True, about="document", by=None)
    with pytest.raises(UsageError, match="about the document or the reference"):
        add_question(campaign, document="d1", statement="s", answer=True, about="moon", by=None)


def test_another_campaigns_checks_are_not_found():
    mine, other = make_campaign(running=False), make_campaign(running=False)
    with pytest.raises(NotFoundError):
        question_of(mine, other.questions.first().pk)
    with pytest.raises(NotFoundError):
        triple_of(mine, other.planted.first().pk)


def test_checks_are_fixed_once_the_campaign_runs():
    campaign = make_campaign()
    question = campaign.questions.first()
    with pytest.raises(ConflictError, match="has started"):
        remove(question, None)
    with pytest.raises(ConflictError, match="has started"):
        rewrite_question(question, statement="s", answer=True, by=None)
    with pytest.raises(ConflictError, match="has started"):
        generate_checks(campaign, None)
    with pytest.raises(ConflictError, match="has started"):
        approve_all(campaign, None)


def test_a_bad_summary_with_the_words_of_the_mediocre_one_is_refused(bare):
    campaign = make_campaign("fluency", corpus=bare, running=False)
    texts = {"good": "It is open.", "mediocre": "They is open now.", "bad": "Now open they is."}
    with pytest.raises(UsageError, match="exactly the words of the mediocre one"):
        add_planted(campaign, **texts, by=None)
