"""The page of notices: webhooks with their messages, invitations and reminders by e-mail."""

from __future__ import annotations

import pytest

from gistmark.web.accounts.models import MailAddress
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.notices.models import Webhook
from gistmark.web.outbox.queue import deliver_due
from web.api.calling import Caller
from web.factories import make_campaign
from web.notices.receiver import is_signed, receiving

pytestmark = pytest.mark.django_db


def test_a_webhook_from_the_form_to_its_removal(log_in, settings):
    settings.PRIVATE_WEBHOOKS = True
    campaign = make_campaign()
    client, page = log_in(campaign.owner), f"/campaigns/{campaign.key}/notices/"
    with receiving() as receiver:
        made = client.post(f"{page}webhooks/new/", {"url": receiver.url, "on_work": "on"})
        assert made.status_code == 200
        secret = made.context["secret"]
        assert secret in made.text
        webhook = Webhook.objects.get()
        assert (webhook.on_work, webhook.on_end) == (True, False)
        client.post(f"{page}webhooks/{webhook.pk}/test/")
        deliver_due()
        assert is_signed(secret, *receiver.requests[0])
    shown = client.get(page).text
    assert '<th scope="row">test</th>' in shown
    assert "Sent" in shown
    assert secret not in shown
    assert webhook.secret not in shown
    client.post(f"{page}webhooks/{webhook.pk}/remove/")
    assert not Webhook.objects.exists()


def test_a_private_address_is_refused_beside_the_field(log_in):
    campaign = make_campaign()
    sent = {"url": "https://127.0.0.1/x", "on_end": "on"}
    answer = log_in(campaign.owner).post(f"/campaigns/{campaign.key}/notices/webhooks/new/", sent)
    assert answer.status_code == 400
    assert "in a private network" in answer.text


def test_without_a_mail_server_the_page_is_about_webhooks_alone(log_in, settings):
    settings.MAIL = None
    campaign = make_campaign()
    client, page = log_in(campaign.owner), f"/campaigns/{campaign.key}/notices/"
    assert "e-mail" not in client.get(page).text.lower()
    sent = {"addresses": "ada@uni.example", "days": 3}
    assert client.post(f"{page}invite/", sent).status_code == 400
    assert "GISTMARK_SMTP_HOST" in client.post(f"{page}remind/", follow=True).text


def test_inviting_and_reminding_from_the_page(mailbox, log_in, annotator):
    campaign = make_campaign(annotators=(annotator,))
    give_consent(campaign, annotator)
    next_task(campaign, annotator)
    MailAddress.objects.create(
        user=annotator, address="ada@uni.example", verified_at=annotator.date_joined
    )
    client, page = log_in(campaign.owner), f"/campaigns/{campaign.key}/notices/"
    wrong = client.post(f"{page}invite/", {"addresses": "nobody", "days": 3})
    assert wrong.status_code == 400
    assert "These are not e-mail addresses: nobody." in wrong.text
    client.post(f"{page}invite/", {"addresses": "grace@uni.example", "days": 3})
    assert "Of these, 1 can be reminded today" in client.get(page).text
    assert "Reminders on their way: 1." in client.post(f"{page}remind/", follow=True).text
    deliver_due()
    assert [mail["To"] for mail in mailbox.mails] == ["grace@uni.example", "ada@uni.example"]
    assert "http://testserver/join/" in mailbox.mails[0].get_content()


def test_webhooks_through_the_api(settings):
    settings.PRIVATE_WEBHOOKS = True
    campaign = make_campaign()
    caller, path = Caller(campaign.owner), f"/campaigns/{campaign.key}/webhooks"
    with receiving() as receiver:
        made = caller.post(path, {"url": receiver.url})
        assert made.status_code == 201
        number, secret = made.json()["id"], made.json()["secret"]
        (listed,) = caller.get(path).json()
        assert listed == {"id": number, "url": receiver.url, "on_work": True, "on_end": True}
        assert caller.post(f"{path}/{number}/test").status_code == 202
        deliver_due()
        assert is_signed(secret, *receiver.requests[0])
    (delivery,) = caller.get(f"{path}/{number}/deliveries").json()
    assert (delivery["event"], delivery["state"], delivery["tries"]) == ("test", "sent", 1)
    assert caller.call("DELETE", f"{path}/{number}").status_code == 204
    assert caller.get(f"{path}/{number}/deliveries").status_code == 404
    assert caller.post(path, {"url": "ftp://x"}).status_code == 400
