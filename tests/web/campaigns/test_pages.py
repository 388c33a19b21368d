"""The manager's pages: what they show, what they do, and how many queries they take."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from gistmark.corpus import load, sample_folder
from gistmark.judgements import PROTOCOLS
from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import protocol_of
from web.annotate.answering import done
from web.campaigns.test_services_uploads import archive, sample_files
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(log_in, manager):
    return log_in(manager)


def url(name, campaign, *arguments):
    return reverse(name, args=[campaign.key, *arguments])


def upload(name: str, data: bytes) -> BytesIO:
    file = BytesIO(data)
    file.name = name
    return file


def new(client, **changes):
    filled = {"name": "News", "protocol": "overall", "source": "sample"} | changes
    return client.post("/campaigns/new/", filled, follow=True)


def test_an_empty_list_offers_the_first_campaign(client):
    assert "Make the first one" in client.get("/campaigns/").content.decode()


@pytest.mark.parametrize("protocol", PROTOCOLS.builtin)
def test_a_campaign_of_the_sample_is_made_and_started(client, protocol):
    page = new(client, protocol=protocol)
    campaign = Campaign.objects.get(name="News")
    assert "The campaign is made" in page.content.decode()
    assert protocol_of(campaign).name == protocol
    for tab in ("campaign", "campaign-settings", "campaign-checks", "campaign-people"):
        assert client.get(url(tab, campaign)).status_code == 200
    page = client.post(url("campaign-state", campaign), {"step": "start"}, follow=True)
    assert "The campaign runs" in page.content.decode()
    assert Task.objects.filter(campaign=campaign).exists()
    for tab in ("campaign", "campaign-settings", "campaign-checks", "campaign-people"):
        assert client.get(url(tab, campaign)).status_code == 200


def test_a_campaign_is_made_of_an_uploaded_archive(client):
    new(client, source="upload", file=upload("c.zip", archive(sample_files())))
    assert Campaign.objects.get().documents.count() == 14


def test_a_bad_corpus_shows_every_problem_and_makes_nothing(client):
    lines = b"".join(b'{"id": 1.5}\n' for _ in range(60))
    page = new(client, source="upload", file=upload("mine.jsonl", lines))
    text = page.content.decode()
    assert page.status_code == 400
    assert "mine.jsonl:2: " in text
    assert "more</li>" in text
    assert not Campaign.objects.exists()


def test_the_results_of_a_campaign_become_the_corpus_of_the_next(client, manager):
    ann = make_user()
    first = make_campaign(owner=manager, annotators=(ann,))
    done(first, ann)
    new(client, source="campaign", campaign=first.pk)
    assert Campaign.objects.get(name="News").documents.count() == 2
    page = new(client, name="Other", source="campaign", campaign=make_campaign().pk)
    assert page.status_code == 400  # another manager's campaign


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": ""}, "This field is required"),
        ({"name": "x" * 300}, "at most 200 characters"),
        ({"name": "a\x00b"}, "Null characters are not allowed"),
        ({"protocol": "telepathy"}, "Select a valid choice"),
        ({"source": "moon"}, "Select a valid choice"),
        ({"source": "upload"}, "Choose the file of the corpus"),
        ({"source": "campaign"}, "Choose the campaign whose results to use"),
        ({"source": "campaign", "campaign": "9" * 40}, "Select a valid choice"),
        ({"source": "upload", "file": "not a file"}, "Choose the file of the corpus"),
    ],
)
def test_a_new_campaign_that_is_filled_in_wrongly(client, changes, sentence):
    page = new(client, **changes)
    assert page.status_code == 400
    assert sentence in page.content.decode()
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("c.zip", b"no zip", "cannot be unpacked"),
        ("c.exe", b"MZ", "A corpus is a file that ends in"),
        ("c.jsonl", b"\xff\xfe\x00", "The corpus cannot be used"),
        ("c.jsonl", b"", "empty"),
        ("c.csv", b"a,b\n1,2\n", "The corpus cannot be used"),
        ("c.parquet", b"PAR1 but not really", "The corpus cannot be used"),
    ],
)
def test_files_that_are_no_corpus(client, name, data, sentence):
    page = new(client, source="upload", file=upload(name, data))
    assert page.status_code == 400
    assert sentence in page.content.decode()


def test_a_name_that_is_taken_is_told(client, manager):
    make_campaign(owner=manager, name="News", running=False)
    page = new(client)
    assert page.status_code == 400
    assert "already a campaign named" in page.content.decode()


def test_a_draft_says_what_is_in_the_way(client, manager):
    from dataclasses import replace

    corpus = replace(make_corpus(), questions=())
    campaign = make_campaign("content-document", owner=manager, corpus=corpus, running=False)
    text = client.get(url("campaign", campaign)).content.decode()
    assert "Document &#x27;d1&#x27; has no True/False statement" in text
    page = client.post(url("campaign-state", campaign), {"step": "start"}, follow=True)
    assert "cannot start yet" in page.content.decode()


@pytest.mark.parametrize("step", ["", "explode", "resume", "\x00"])
def test_a_step_that_cannot_be_is_told(client, manager, step):
    campaign = make_campaign(owner=manager)
    page = client.post(url("campaign-state", campaign), {"step": step}, follow=True)
    assert page.status_code == 200
    assert "message is-error" in page.content.decode()


def test_the_life_of_a_campaign_by_its_buttons(client, manager):
    campaign = make_campaign(owner=manager)
    for step, state in (("pause", "paused"), ("resume", "running"), ("close", "closed")):
        client.post(url("campaign-state", campaign), {"step": step})
        assert Campaign.objects.get().state == state


def settings_of(campaign, **changes):
    return {"name": campaign.name, "lease_minutes": 30} | changes


def test_settings_are_saved_at_any_time(client, manager):
    campaign = make_campaign(owner=manager)
    filled = settings_of(campaign, name="Renamed", registration_open="on")
    page = client.post(url("campaign-settings", campaign), filled, follow=True)
    assert "The settings are saved" in page.content.decode()
    stored = Campaign.objects.get()
    assert (stored.name, stored.lease_minutes, stored.registration_open) == ("Renamed", 30, True)


@pytest.mark.parametrize(
    "changes",
    [{"name": ""}, {"lease_minutes": 0}, {"lease_minutes": "9" * 30}, {"lease_minutes": "soon"}],
)
def test_settings_that_make_no_sense_are_told(client, manager, changes):
    campaign = make_campaign(owner=manager)
    page = client.post(url("campaign-settings", campaign), settings_of(campaign, **changes))
    assert page.status_code == 400
    assert "errorlist" in page.content.decode()


def protocol_fields(page) -> dict[str, object]:
    """What a browser would send back of the form as it is shown."""
    form = page.context["protocol_form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value not in (None, False)}


@pytest.mark.parametrize("protocol", PROTOCOLS.builtin)
def test_the_protocol_form_changes_nothing_by_itself(client, manager, protocol):
    corpus = load(sample_folder())
    campaign = make_campaign(protocol, owner=manager, corpus=corpus, running=False)
    before = protocol_of(campaign)
    filled = protocol_fields(client.get(url("campaign-settings", campaign)))
    page = client.post(url("campaign-protocol", campaign), filled)
    assert page.status_code == 302
    assert protocol_of(Campaign.objects.get()) == before


def test_the_protocol_is_changed_by_its_form(client, manager):
    campaign = make_campaign("overall", owner=manager, running=False)
    filled = protocol_fields(client.get(url("campaign-settings", campaign)))
    filled |= {
        "judges": 7, "check_too_fast": "reject", "instructions": "Read twice.",
        "scale_labels": "a\nb\nc\nd\ne", "guidance_0": "New guidance.", "editable": "on",
    }  # fmt: skip
    client.post(url("campaign-protocol", campaign), filled)
    changed = protocol_of(Campaign.objects.get())
    assert (changed.judges, changed.checks.too_fast, changed.editable) == (7, "reject", True)
    assert changed.instructions == "Read twice."
    assert changed.scale.labels == ("a", "b", "c", "d", "e")
    assert changed.dimensions[0].guidance == "New guidance."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"judges": 0}, "greater than or equal to 1"),
        ({"judges": "many"}, "Enter a whole number"),
        ({"minimum_seconds": "nan"}, "Enter a number"),
        ({"check_planted": "explode"}, "Select a valid choice"),
        ({"check_planted": "reject"}, "must be off where more than the summary is shown"),
        ({"scale_labels": "only one"}, "must hold a label for each point"),
        ({"question_0": ""}, "This field is required"),
        ({"consent": "x" * 20_001}, "at most 20000 characters"),
    ],
)
def test_protocol_settings_that_make_no_sense_stand_beside_their_field(
    client, manager, changes, sentence
):
    campaign = make_campaign("overall", owner=manager, running=False)
    filled = protocol_fields(client.get(url("campaign-settings", campaign))) | changes
    page = client.post(url("campaign-protocol", campaign), filled)
    assert page.status_code == 400
    assert sentence in page.content.decode()


@pytest.mark.parametrize(
    ("changes", "status", "sentence"),
    [
        ('{"judges": 4}', 302, ""),
        ("{", 400, "This is no JSON"),
        ("[" * 100_000, 400, "This is no JSON"),
        ("[1]", 400, "must be a JSON object"),
        ('{"judges": "x"}', 400, "must be a whole number"),
        ('{"odd": 1}', 400, "is unknown"),
        ('{"about": "a\\u0000b"}', 400, "NUL"),
        ('{"about": "\\ud800"}', 400, "surrogate"),
        ('{"dimensions": {"overall": 5}}', 400, "must be an object of changes"),
    ],
)
def test_changes_by_json(client, manager, changes, status, sentence):
    campaign = make_campaign("overall", owner=manager, running=False)
    page = client.post(url("campaign-changes", campaign), {"changes": changes})
    assert page.status_code == status
    assert sentence in page.content.decode().replace("&#x27;", "'")


def test_more_tasks_than_anybody_wants_do_not_start(client, manager):
    campaign = make_campaign(owner=manager, running=False)
    huge = {"changes": '{"judges": 1000000000000}'}
    client.post(url("campaign-changes", campaign), huge)
    text = client.get(url("campaign", campaign)).content.decode()
    assert "There would be 4,000,000,000,000 tasks; 500,000 are allowed." in text


def test_the_protocol_of_a_running_campaign_stays(client, manager):
    campaign = make_campaign(owner=manager)
    page = client.post(url("campaign-changes", campaign), {"changes": '{"judges": 4}'})
    assert page.status_code == 400
    assert "has started" in page.content.decode()


def test_checks_are_generated_reviewed_and_approved(client, manager):
    from dataclasses import replace

    corpus = replace(load(sample_folder()), questions=(), planted=())
    campaign = make_campaign("content-document", owner=manager, corpus=corpus, running=False)
    page = client.post(url("campaign-checks-generate", campaign), follow=True)
    assert "Made 28 statements and 0 planted triples." in page.content.decode()
    first, second, third, *_ = campaign.questions.all()
    client.post(url("campaign-question-approve", campaign, first.pk))
    client.post(url("campaign-question-remove", campaign, second.pk))
    filled = {"statement": "It snowed.", "answer": "false"}
    client.post(url("campaign-question", campaign, third.pk), filled)
    approved = campaign.questions.filter(approved=True)
    assert [question.statement for question in approved] == [first.statement, "It snowed."]
    assert approved[1].answer is False
    assert campaign.questions.count() == 27
    page = client.get(url("campaign-checks", campaign) + "?show=waiting")
    assert page.context["questions"].paginator.count == 25
    client.post(url("campaign-checks-approve", campaign))
    assert not campaign.questions.filter(approved=False).exists()


def test_checks_are_written_by_hand(client, manager):
    campaign = make_campaign("fluency", owner=manager, running=False)
    question = {"document": "d1", "about": "document", "statement": "It rained.", "answer": "true"}
    client.post(url("campaign-question-new", campaign), question)
    assert campaign.questions.filter(statement="It rained.", answer=True).count() == 1
    triple = {"good": "One.", "mediocre": "Two.", "bad": "Three."}
    client.post(url("campaign-planted-new", campaign), triple)
    planted = campaign.planted.get(good="One.")
    client.post(url("campaign-planted", campaign, planted.pk), triple | {"bad": "Four."})
    planted.refresh_from_db()
    assert planted.bad == "Four."


@pytest.mark.parametrize(
    ("name", "filled"),
    [
        ("campaign-question-new", {}),
        ("campaign-question-new", {"document": "d9", "about": "document", "statement": "x", "answer": "true"}),
        ("campaign-question-new", {"document": "d1", "about": "x", "statement": "x", "answer": "true"}),
        ("campaign-question-new", {"document": "d1", "about": "document", "statement": "x", "answer": "x"}),
        ("campaign-question-new", {"document": "d\x00", "about": "document", "statement": "x", "answer": "true"}),
        ("campaign-planted-new", {"good": "a", "mediocre": "a", "bad": "a"}),
        ("campaign-planted-new", {"good": "a", "mediocre": " ", "bad": "b"}),
        ("campaign-planted-new", {"good": "a", "mediocre": "b" * 20_001, "bad": "b"}),
    ],
)  # fmt: skip
def test_checks_that_make_no_sense_are_told(client, manager, name, filled):
    campaign = make_campaign(owner=manager, running=False)
    page = client.post(url(name, campaign), filled)
    assert page.status_code == 400
    assert "errorlist" in page.content.decode()


@pytest.mark.parametrize("number", [0, 10**12, 10**30])
def test_a_check_that_is_not_there_is_not_found(client, manager, number):
    campaign = make_campaign(owner=manager, running=False)
    for kind in ("questions", "planted"):
        assert client.get(f"/campaigns/{campaign.key}/checks/{kind}/{number}/").status_code == 404


@pytest.mark.parametrize("page", ["0", "-1", "999", "x", "\x00", "9" * 50])
def test_odd_page_numbers_show_some_page(client, manager, page):
    campaign = make_campaign(owner=manager, running=False)
    assert client.get("/campaigns/", {"page": page}).status_code == 200
    where = url("campaign-checks", campaign)
    assert client.get(where, {"questions": page, "planted": page}).status_code == 200


def test_people_are_added_and_invited(client, manager):
    campaign, ann = make_campaign(owner=manager), make_user()
    client.post(url("campaign-people-add", campaign), {"name": ann.username, "role": "annotator"})
    assert campaign.memberships.filter(user=ann, role="annotator").exists()
    page = client.post(url("campaign-people-invite", campaign), {"uses": 3, "days": 7})
    assert "/join/" in page.content.decode()
    assert campaign.links.get().uses_left == 3


@pytest.mark.parametrize(
    ("name", "filled"),
    [
        ("add", {"name": "nobody-knows", "role": "annotator"}),
        ("add", {"name": "a\x00b", "role": "annotator"}),
        ("add", {"name": "", "role": "king"}),
        ("invite", {"uses": 0, "days": 7}),
        ("invite", {"uses": 10**9, "days": 7}),
        ("invite", {"uses": 1, "days": "x"}),
        ("allocate", {}),
        ("allocate", {"people": "nobody-knows"}),
        ("allocate", {"people": "a\x00b"}),
        ("release", {}),
        ("release", {"people": ["x", "y"]}),
    ],
)
def test_people_that_make_no_sense_are_told(client, manager, name, filled):
    campaign = make_campaign(owner=manager, annotators=(make_user(),))
    page = client.post(url(f"campaign-people-{name}", campaign), filled)
    assert page.status_code == 400
    assert "errorlist" in page.content.decode()


def test_tasks_are_allocated_to_the_chosen_and_released(client, manager):
    people = (make_user(), make_user())
    campaign = make_campaign(owner=manager, annotators=people, judges=2)  # 8 slots
    chosen = {"people": [user.username for user in people], "limit": "3"}
    page = client.post(url("campaign-people-allocate", campaign), chosen, follow=True)
    assert "Tasks allocated: 6." in page.content.decode()
    assert "Tasks still open: 2." in page.content.decode()
    chosen = {"people": [people[0].username]}
    page = client.post(url("campaign-people-release", campaign), chosen, follow=True)
    assert "Tasks released: 3." in page.content.decode()
    assert Task.objects.filter(state="held").count() == 3


def test_a_campaign_that_does_not_run_allocates_nothing(client, manager):
    ann = make_user()
    campaign = make_campaign(owner=manager, annotators=(ann,), running=False)
    page = client.post(url("campaign-people-allocate", campaign), {"people": [ann.username]})
    assert page.status_code == 400
    assert "has not started yet" in page.content.decode()


def queries(client, where) -> int:
    """The queries of a page; the very first request also asks whether the platform is set up."""
    client.get(where)
    with CaptureQueriesContext(connection) as counted:
        assert client.get(where).status_code == 200
    return len(counted)


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        "campaign",
        "campaign-settings",
        "campaign-checks",
        "campaign-people",
        "campaign-question-new",
    ],
)
def test_a_page_takes_as_many_queries_for_a_large_campaign_as_for_a_small_one(
    client, manager, name, running
):
    counts = []
    for size in (2, 12):
        people = tuple(make_user() for _ in range(size))
        corpus = make_corpus(documents=size)
        campaign = make_campaign(owner=manager, corpus=corpus, annotators=people, running=running)
        if running:
            for user in people:
                done(campaign, user)
        counts.append(queries(client, url(name, campaign)))
    assert counts[0] == counts[1]


def test_the_list_takes_as_many_queries_for_many_campaigns_as_for_few(client, manager):
    counts = []
    for _ in range(2):
        for _ in range(4):
            make_campaign(owner=manager)
        counts.append(queries(client, "/campaigns/"))
    assert counts[0] == counts[1]
