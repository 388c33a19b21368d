"""The page of settings: a campaign's own, and its protocol's."""

from __future__ import annotations

import pytest

from gistmark.corpus import load, sample_folder
from gistmark.judgements import PROTOCOLS
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.campaigns.services.protocols import protocol_of
from web.factories import make_campaign
from web.manage.browsing import url

pytestmark = pytest.mark.django_db


def settings_of(campaign, **changes):
    return {"name": campaign.name, "lease_minutes": 30} | changes


def test_settings_are_saved_at_any_time(client, manager):
    campaign = make_campaign(owner=manager)
    filled = settings_of(campaign, name="Renamed", registration_open="on")
    page = client.post(url("campaign-settings", campaign), filled, follow=True)
    assert "The settings are saved" in page.content.decode()
    stored = Campaign.objects.get()
    assert (stored.name, stored.lease_minutes, stored.registration_open) == ("Renamed", 30, True)


def test_the_whole_address_for_registering_can_be_copied(client, manager):
    campaign = make_campaign(owner=manager)
    assert "/register/" not in client.get(url("campaign-settings", campaign)).content.decode()
    Campaign.objects.update(registration_open=True)
    text = client.get(url("campaign-settings", campaign)).content.decode()
    assert f'value="http://testserver/register/{campaign.key}/"' in text
    assert 'data-copies="registration"' in text


def test_completion_codes_are_switched_on_and_off_until_the_campaign_is_closed(client, manager):
    campaign = make_campaign(owner=manager)
    where = url("campaign-settings", campaign)
    assert not campaign.completion_codes
    for sent in ({"completion_codes": "on"}, {}, {"completion_codes": "on"}):
        client.post(where, settings_of(campaign, **sent))
        assert Campaign.objects.get().completion_codes == bool(sent)
    close(campaign, None)
    page = client.post(where, settings_of(campaign))
    assert page.status_code == 400
    assert "whether it gives completion codes can no longer be changed" in page.content.decode()
    renamed = settings_of(campaign, name="Renamed", completion_codes="on")
    assert client.post(where, renamed).status_code == 302
    stored = Campaign.objects.get()
    assert (stored.name, stored.completion_codes) == ("Renamed", True)


@pytest.mark.parametrize(
    "changes",
    [{"name": ""}, {"lease_minutes": 0}, {"lease_minutes": "9" * 30}, {"lease_minutes": "soon"}],
)
def test_settings_that_make_no_sense_are_told(client, manager, changes):
    campaign = make_campaign(owner=manager)
    page = client.post(url("campaign-settings", campaign), settings_of(campaign, **changes))
    assert page.status_code == 400
    assert "form-errors" in page.content.decode()


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
        "wording": "original",
    }  # fmt: skip
    client.post(url("campaign-protocol", campaign), filled)
    changed = protocol_of(Campaign.objects.get())
    assert (changed.judges, changed.checks["too_fast"], changed.editable) == (7, "reject", True)
    assert (changed.instructions, changed.wording) == ("Read twice.", "original")
    assert changed.about_wording in client.get(url("campaign", campaign)).content.decode()
    assert changed.scale.labels == ("a", "b", "c", "d", "e")
    assert changed.dimensions[0].guidance == "New guidance."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"judges": 0}, "greater than or equal to 1"),
        ({"judges": "many"}, "Enter a whole number"),
        ({"minimum_seconds": "nan"}, "Enter a number"),
        ({"check_too_fast": "explode"}, "Select a valid choice"),
        (
            {"check_too_fast": "flag", "minimum_seconds": 0},
            "“The work must take the minimum time” must be off, or “Minimum time per item, in "
            "seconds” above 0.",
        ),
        ({"scale_labels": "only one"}, "must hold a label for each point"),
        ({"question_0": ""}, "“overall: question” is required."),
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


def test_a_refusal_is_told_at_the_top_in_the_words_of_the_form_and_opens_its_section(
    client, manager
):
    campaign = make_campaign("overall", owner=manager, running=False)
    where = url("campaign-settings", campaign)
    filled = protocol_fields(client.get(where)) | {"scale_labels": "one"}
    page = client.post(url("campaign-protocol", campaign), filled)
    text = page.content.decode()
    top = text[text.index("form-errors") : text.index("<h1>")]
    sentence = "“Labels of the scale 0 to 4” must hold a label for each point (5) or none"
    assert f'<a href="#id_scale_labels">{sentence}' in top
    assert "scale.labels" not in text
    sections = page.context["protocol_form"].sections()
    assert [each.title for each in sections if each.is_open] == ["Scale"]
    untouched = client.get(where).context["protocol_form"].sections()
    assert [each.title for each in untouched if each.is_open] == ["Tasks and people"]


@pytest.mark.parametrize(
    ("protocol", "checks"),
    [
        ("overall", {"question", "straight_line", "too_fast"}),
        ("fluency", {"planted", "untouched", "straight_line", "too_fast"}),
        ("highlight", {"question", "no_highlights", "too_fast"}),
    ],
)
def test_only_checks_that_can_apply_are_offered(client, manager, protocol, checks):
    campaign = make_campaign(protocol, owner=manager, running=False)
    form = client.get(url("campaign-settings", campaign)).context["protocol_form"]
    names = {name for name in form.fields if name.startswith("check_")}
    assert names == {f"check_{each}" for each in checks}


@pytest.mark.parametrize(
    ("changes", "status", "sentence"),
    [
        ('{"judges": 4}', 302, ""),
        ("{", 400, "This is not JSON"),
        ("[" * 100_000, 400, "This is not JSON"),
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


def test_designs_are_settings_with_what_they_protect_against(client, manager):
    campaign = make_campaign("overall", owner=manager, running=False)
    where = url("campaign-settings", campaign)
    page = client.get(where)
    assert "It protects against carry-over" in page.content.decode()
    filled = protocol_fields(page) | {
        "one_per_document_and_annotator": "on", "judges_by_system": "sys1: 2.5\n\n sys2 : 3",
    }  # fmt: skip
    client.post(url("campaign-protocol", campaign), filled)
    changed = protocol_of(Campaign.objects.get())
    assert changed.one_per_document_and_annotator
    assert changed.judges_by_system == {"sys1": 2.5, "sys2": 3}
    again = protocol_fields(client.get(where))
    assert again["judges_by_system"] == "sys1: 2.5\nsys2: 3"
    client.post(url("campaign-protocol", campaign), again | {"judges_by_system": "sys2: 3"})
    assert protocol_of(Campaign.objects.get()).judges_by_system == {"sys2": 3}


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ("sys1 2", "Write a system, a colon and a number, such as “lead: 2.5”, not “sys1 2”."),
        ("sys1: two", "not “sys1: two”."),
        ("sys1: 0", "must be at least 1, but is 0"),
    ],
)
def test_numbers_by_system_that_make_no_sense_are_told(client, manager, sent, sentence):
    campaign = make_campaign("overall", owner=manager, running=False)
    filled = protocol_fields(client.get(url("campaign-settings", campaign)))
    filled["judges_by_system"] = sent
    page = client.post(url("campaign-protocol", campaign), filled)
    assert page.status_code == 400
    assert sentence in page.content.decode()
    assert page.context["protocol_form"].errors.keys() == {"judges_by_system"}


def test_only_designs_that_the_protocol_can_have_are_offered(client, manager):
    campaign = make_campaign("highlight", owner=manager, running=False)
    fields = client.get(url("campaign-settings", campaign)).context["protocol_form"].fields
    assert "several_of_a_document" in fields
    assert not fields.keys() & {
        "one_per_document_and_annotator", "one_dimension_per_task", "judges_by_system",
        "judge_references",
    }  # fmt: skip
