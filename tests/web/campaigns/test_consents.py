"""Consent: to which text, when, and when people are asked again."""

from __future__ import annotations

from hashlib import sha256

import pytest
from django.urls import reverse

from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Consent, ConsentText
from gistmark.web.campaigns.services.consents import (
    consent_rows,
    consent_version,
    consented,
    give_consent,
)
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.campaigns.services.protocols import change_protocol
from gistmark.web.config.errors import ConflictError
from web.api.calling import Caller
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(annotator):
    return make_campaign(running=False, consent="You help us.", annotators=(annotator,))


def test_a_text_is_stored_once_however_many_agree_to_it(draft, annotator):
    other = make_campaign(consent="You help us.", annotators=(annotator, somebody := make_user()))
    give_consent(draft, annotator)
    give_consent(other, annotator)
    give_consent(other, somebody)
    (text,) = ConsentText.objects.all()
    assert text.text == "You help us."
    assert text.hash == sha256(b"You help us.").hexdigest()
    assert text.consents.count() == 3


def test_a_changed_text_asks_again_and_keeps_the_earlier_consent(draft, annotator):
    give_consent(draft, annotator)
    change_protocol(draft, {"consent": "You help us, unpaid."}, draft.owner)
    assert not consented(draft, annotator)
    give_consent(draft, annotator)
    assert consented(draft, annotator)
    texts = Consent.objects.order_by("pk").values_list("text__text", flat=True)
    assert list(texts) == ["You help us.", "You help us, unpaid."]


def test_a_change_of_something_else_does_not_ask_again(draft, annotator):
    give_consent(draft, annotator)
    change_protocol(draft, {"judges": 2}, draft.owner)
    assert consented(draft, annotator)


def test_a_consent_to_an_unknown_text_does_not_count(draft, annotator):
    given = give_consent(draft, annotator)
    Consent.objects.filter(pk=given.pk).update(text=None)
    assert not consented(draft, annotator)


def test_who_read_another_text_has_agreed_to_nothing(draft, annotator):
    read = consent_version(draft)
    change_protocol(draft, {"consent": "You pay us."}, draft.owner)
    with pytest.raises(ConflictError, match="have changed since you opened"):
        give_consent(draft, annotator, version=read)
    assert not Consent.objects.exists()


def test_the_page_asks_again_and_says_why(draft, annotator, log_in):
    give_consent(draft, annotator)
    change_protocol(draft, {"consent": "You pay us."}, draft.owner)
    start(draft, draft.owner)
    client, address = log_in(annotator), reverse("work-begin", args=[draft.key])
    assert "These terms have changed since you agreed" in client.get(address).content.decode()
    stale = client.post(address, {"version": "0" * 64}, follow=True)
    assert "please read them again" in stale.content.decode()
    assert not consented(draft, annotator)
    client.post(address, {"version": consent_version(draft)})
    assert consented(draft, annotator)
    assert "These terms have changed" not in client.get(address).content.decode()
    assert next_task(draft, annotator) is not None


def test_a_newcomer_is_not_told_that_the_terms_have_changed(draft, annotator, log_in):
    page = log_in(annotator).get(reverse("work-begin", args=[draft.key])).content.decode()
    assert "You help us." in page
    assert "have changed" not in page


def test_the_api_says_what_to_agree_to(draft, annotator):
    caller, path = Caller(annotator), f"/campaigns/{draft.key}/consent"
    told = caller.get(path).json()
    assert told == {"text": "You help us.", "version": consent_version(draft), "given": False}
    assert caller.post(path, {"version": "0" * 64}).status_code == 409
    assert caller.post(path, {"version": told["version"]}).status_code == 204
    assert caller.get(path).json()["given"] is True


def test_consents_are_listed_with_their_texts(draft, annotator):
    consent = give_consent(draft, annotator)
    late = make_user()
    add_member(draft, late)
    Consent.objects.create(membership=draft.memberships.get(user=late), text=None, at=consent.at)
    first, second = consent_rows(draft, {annotator.username: "annotator-1"})
    assert first == {
        "annotator": "annotator-1",
        "at": consent.at.isoformat(timespec="seconds"),
        "text_hash": consent_version(draft),
        "text": "You help us.",
    }
    assert (second["annotator"], second["text"]) == (late.username, None)
