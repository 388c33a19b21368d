"""Results of composed protocols: pages, statistics, adjudication and exports of every question."""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from gistmark.analysis import study
from gistmark.corpus import load
from gistmark.errors import UsageError
from gistmark.judgements import protocol_from
from gistmark.web.annotate.services.adjudications import adjudicate, adjudicate_as
from gistmark.web.annotate.services.launch import start
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import create_campaign
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.config.errors import ConflictError
from gistmark.web.manage.forms.practice import PracticeItemForm
from gistmark.web.results.adjudication import disputed_item, disputed_items
from gistmark.web.results.documents import document_results
from gistmark.web.results.exports import Choices, export_to, formats_for, judgement_files
from gistmark.web.results.statistics.study import statistics_of
from web.annotate.answering import claimed, submit
from web.api.calling import Caller
from web.factories import make_corpus, make_user
from web.results.working import work_on

pytestmark = pytest.mark.django_db

POINTS = {"form": "points", "low": 1, "high": 5, "labels": ["bad", "poor", "fair", "good", "best"]}
SUMMARY = [
    {"type": "show", "what": "document"},
    {"type": "show", "what": "summary"},
    {"type": "likert", "name": "fluency", "question": "How fluent?", "scale": POINTS},
    {"type": "choice", "name": "genre", "question": "Which?",
     "options": ["news", "<b>opinion</b>"]},
    {"type": "choices", "name": "faults", "question": "Which?", "options": ["long", "dull"]},
    {"type": "yes-no", "name": "true", "question": "Is it true?"},
    {"type": "text", "name": "why", "question": "Why?", "required": False},
    {"type": "spans", "name": "errors", "question": "Mark errors.", "source": False,
     "categories": [{"name": "grammar", "guidance": ""}]},
]  # fmt: skip
SETS = [
    {"type": "show", "what": "summaries"},
    {"type": "ranking", "name": "order", "question": "Order?", "ties": True},
    {"type": "best-worst", "name": "extremes", "question": "Best and worst?"},
]
PAIRS = [
    {"type": "show", "what": "pair"},
    {"type": "pairwise", "name": "better", "question": "Which is better?", "ties": True,
     "strength": ["slightly", "clearly"]},
]  # fmt: skip


def form_campaign(blocks: list[dict[str, object]], people=(), **changes: object):
    """A running campaign of a form."""
    corpus = changes.pop("corpus", None) or make_corpus(documents=2, systems=3)
    changes = {"judges": 2, "checks": {"too_fast": "off"}, **changes}
    mapping = {"name": "own", "kind": "form", "about": "", "blocks": blocks, **changes}
    owner = make_user("manager")
    campaign = create_campaign(
        owner=owner,
        name=f"Form {uuid4()}",
        protocol=protocol_from(mapping),
        corpus=corpus,
    )
    for user in people:
        add_member(campaign, user)
    start(campaign, owner)
    for user in people:
        give_consent(campaign, user)
    return campaign


def simulated(blocks: list[dict[str, object]], **changes: object) -> Campaign:
    """The same with the work of two simulated annotators."""
    people = (make_user(name="ann"), make_user(name="bob"))
    campaign = form_campaign(blocks, people, **changes)
    for user in people:
        while work_on(campaign, user) is not None:
            pass
    return campaign


def unpacked(campaign: Campaign, folder: Path, **choices: bool) -> Path:
    """The exported corpus folder."""
    export_to(campaign, "folder", folder / "export.zip", Choices(**choices))
    with zipfile.ZipFile(folder / "export.zip") as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def answered(campaign: Campaign, answers: dict[str, dict[str, object]]) -> None:
    """Each person's answers to the first item."""
    for user in [each.user for each in campaign.memberships.filter(role="annotator")]:
        task = claimed(campaign, user)
        items = {
            entry["key"]: {"seconds": 30, "answers": answers[user.username]}
            for entry in task.content["entries"]
        }
        submit(task.pk, user, uuid4(), {"items": items, "seconds": 60})


@pytest.mark.parametrize(
    ("blocks", "files"),
    [
        (SUMMARY, ("ratings", "answers", "spans")),
        (SETS, ("answers",)),
        (PAIRS, ("comparisons",)),
    ],
)
def test_what_people_answer_is_exported_under_pseudonyms_and_studied(tmp_path, blocks, files):
    campaign = simulated(blocks)
    assert judgement_files(protocol_from(campaign.protocol)) == files
    formats = [each.name for each in formats_for(protocol_from(campaign.protocol))]
    assert ("csv" in formats) == (len(files) == 1)
    exported = load(unpacked(campaign, tmp_path))
    for kind in ("ratings", "comparisons", "responses", "spans"):
        names = {record.annotator for record in getattr(exported, kind)}
        assert names <= {"annotator-2", "annotator-3"}
    own = statistics_of(campaign)
    expected = study(exported_corpus(campaign)).records()
    assert own.questions == expected["questions"]
    assert own.options == expected["options"]
    assert own.sets == expected["sets"]
    assert own.findings == expected["findings"]
    assert study(exported).records()["options"] == expected["options"]


@pytest.mark.parametrize("blocks", [SUMMARY, SETS, PAIRS])
def test_the_pages_of_results_come_for_every_form(blocks):
    campaign = simulated(blocks)
    client = Client()
    client.force_login(campaign.owner)
    pages = {
        name: client.get(reverse(name, args=[campaign.key, *more]) + query).content.decode()
        for name, more, query in (
            ("campaign", (), "?statistics=now"),
            ("campaign-documents", (), ""),
            ("campaign-document", (0,), ""),
            ("campaign-adjudication", (), "?show=all"),
            ("campaign-work", (), ""),
        )
    }
    assert "Traceback" not in "".join(pages.values())
    if blocks is SUMMARY:
        assert "the most frequent answer is" in pages["campaign"]
        assert "it is not offered as a single table" in pages["campaign"]
        assert "question by question" in pages["campaign"]
        assert "<b>opinion</b>" not in "".join(pages.values())
    if blocks is SETS:
        assert "Mean rank [95 %]" in pages["campaign"]
        assert "rank 1" in pages["campaign-document"]


def test_disagreement_is_told_question_by_question_and_decided(tmp_path):
    """fluency 1 and 5 of 1 to 5: 1; genre differs: 1/2; long against long and dull: 1/2."""
    people = (make_user(name="ann"), make_user(name="bob"))
    campaign = form_campaign(SUMMARY, people, corpus=make_corpus(documents=1, systems=1))
    same = {"true": "yes", "errors": {"none": True}}
    answered(
        campaign,
        {
            "ann": {**same, "fluency": {"value": 1}, "genre": "news", "faults": ["long"]},
            "bob": {
                **same, "fluency": {"value": 5}, "genre": "<b>opinion</b>",
                "faults": ["long", "dull"], "why": "Hard to say.",
            },
        },
    )  # fmt: skip
    [disputed] = disputed_items(campaign)
    assert (disputed.judges, disputed.value, disputed.dimension) == (2, 1.0, "fluency")
    item = disputed_item(campaign, disputed.item)
    assert item.disagreement == {
        "fluency": 1.0, "genre": 0.5, "faults": 0.5, "true": 0.0, "errors": 0.0,
    }  # fmt: skip
    lines = {line.dimension: line.answers for line in item.lines}
    assert lines["fluency"] == ("1 bad", "5 best")
    assert lines["why"] == ("", "Hard to say.")
    with pytest.raises(UsageError, match="Nothing is decided"):
        adjudicate(campaign, disputed.item, campaign.owner, {"answers": {}})
    decided = {"answers": {"genre": "news", "fluency": {"value": 3}}}
    adjudicate(campaign, disputed.item, campaign.owner, decided)
    assert disputed_item(campaign, disputed.item).decided.values == {
        "fluency": "3 fair",
        "genre": "news",
    }
    folder = unpacked(campaign, tmp_path, adjudicated=True)
    corpus = load(folder)
    rows = list(csv.DictReader((folder / "adjudications.csv").open()))
    assert [r.value for r in corpus.ratings] == [3.0]
    genres = [(r.annotator, r.value) for r in corpus.responses if r.question == "genre"]
    assert genres == [("adjudicated", "news")]
    assert len([r for r in corpus.responses if r.question == "true"]) == 2
    assert [(row["dimension"], row["question"], row["value"]) for row in rows] == [
        ("fluency", "", "3"),
        ("", "genre", "news"),
    ]


def test_orders_are_compared_by_system_and_taken_from_an_annotator():
    """Both rank sys1, sys2, sys3, whatever their order on the screen."""
    campaign = simulated(SETS)
    [first, *_] = disputed_items(campaign)
    item = disputed_item(campaign, first.item)
    assert set(item.disagreement) == {"order", "extremes"}
    for opinion in item.opinions:
        assert "1. " in opinion.values["order"]
        assert "best: " in opinion.values["extremes"]
    adjudicate_as(campaign, first.item, campaign.owner, item.opinions[0].submission)
    decided = disputed_item(campaign, first.item).decided
    assert decided is not None
    assert decided.values == item.opinions[0].values


def test_a_document_has_all_that_was_answered_about_it():
    campaign = simulated(SUMMARY)
    results = document_results(campaign, 0)
    judged = next(each for each in results.summaries if not each.reference)
    answers = {each.question: each for each in judged.answered}
    assert {"genre", "faults", "true", "errors"} <= answers.keys()
    assert sum(count for _, count in answers["true"].counts) == 2


def test_the_api_has_every_question_with_its_numbers():
    campaign = simulated(SETS)
    [order, extremes] = Caller(campaign.owner).get(
        f"/campaigns/{campaign.key}/results/questions"
    ).json()  # fmt: skip
    assert (order["question"], order["type"], order["options"]) == ("order", "ranking", [])
    assert {each["system"] for each in order["sets"]} == {"sys1", "sys2", "sys3"}
    assert extremes["answers"] == order["answers"] > 0


@pytest.mark.parametrize(
    ("blocks", "label", "usual"),
    [
        (SUMMARY, "How many points off still count as right; by how many percent marked", 0.0),
        (SUMMARY[:2] + SUMMARY[-1:], "By how many percent marked errors may differ", 50.0),
        (SUMMARY[:2] + SUMMARY[3:4], None, 0.0),
        (PAIRS, "How many points off still count as right", 0.0),
    ],
)
def test_the_tolerance_of_practice_answers_says_what_it_means(blocks, label, usual):
    campaign = form_campaign(blocks)
    field = PracticeItemForm(campaign).fields.get("tolerance")
    assert field is None if label is None else field.label.startswith(label)
    protocol = protocol_from(campaign.protocol)
    assert protocol.question_type.usual_tolerance(protocol) == usual


def test_one_table_is_refused_where_there_are_several(tmp_path: Path):
    with pytest.raises(ConflictError, match="those that can are folder"):
        export_to(form_campaign(SUMMARY), "csv", tmp_path / "table.csv")
