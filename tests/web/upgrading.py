"""A campaign of the version before documents were foreign keys, and its use after the upgrade."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

DOCUMENTS = ("d1", "d2")
SYSTEMS = ("gold", "sys1")


def build(apps: Any) -> str:
    """Store a running campaign as that version stored it, given its tables."""
    from django.utils import timezone

    from gistmark.judgements import configured, get_protocol, to_mapping

    now = timezone.now()

    def create(app: str, model: str, /, **values: Any) -> Any:
        return apps.get_model(app, model).objects.create(**values)

    owner = create("accounts", "User", username="owner", role="manager", password="!")
    ada = create("accounts", "User", username="ada", password="!")
    grace = create("accounts", "User", username="grace", password="!")
    create("accounts", "Token", user=owner, name="mine", hash="0" * 64)
    changes = {"judges": 2, "items_per_task": 1, "checks": {"too_fast": "off"}}
    protocol = to_mapping(configured(get_protocol("overall"), changes))
    campaign = create("campaigns", "Campaign", name="Earlier", owner=owner, protocol=protocol)
    campaign.state, campaign.started_at = "running", now
    campaign.save()
    for user, role in ((owner, "manager"), (ada, "annotator"), (grace, "annotator")):
        create("campaigns", "Membership", campaign=campaign, user=user, role=role, consented_at=now)
    for position, name in enumerate(DOCUMENTS):
        create(
            "campaigns", "Document", campaign=campaign, name=name, place=position,
            texts=[f"The text of {name}."], title=f"Title of {name}",
        )  # fmt: skip
    bare = create("campaigns", "Campaign", name="Bare", owner=owner, protocol=protocol)
    create("campaigns", "Membership", campaign=bare, user=ada, role="annotator", consented_at=now)
    changed = {"settings": ["consent", "judges"]}
    create("campaigns", "Event", campaign=bare, verb="protocol-changed", about=changed)
    create("campaigns", "Event", campaign=campaign, verb="protocol-changed", about={"settings": []})
    named = [(campaign, name, system) for name in DOCUMENTS for system in SYSTEMS]
    named += [(bare, "unheld", system) for system in SYSTEMS]
    for position, (of, name, system) in enumerate(named):
        create(
            "campaigns", "Summary", campaign=of, document=name, place=position, system=system,
            text=f"{system} on {name}.", reference=system == "gold",
        )  # fmt: skip
    create(
        "campaigns", "Highlight", campaign=campaign, document="d1", annotator="x", start=0, end=3
    )
    create(
        "campaigns", "Question", campaign=campaign, document="d2", statement="It is a text.",
        answer=True, approved=True,
    )  # fmt: skip
    for document in ("d1", None):
        create(
            "campaigns", "Planted", campaign=campaign, document=document, good="Good.",
            mediocre="Mediocre.", bad="Bad.", approved=True,
        )  # fmt: skip
    for number, name in enumerate(DOCUMENTS, start=1):
        batch = create(
            "annotate", "Batch", campaign=campaign, number=number, items=[[name, "sys1"]], open=1
        )
        create("annotate", "Task", campaign=campaign, batch=batch, slot=f"{number}.1")
        create(
            "annotate", "Task", campaign=campaign, batch=batch, slot=f"{number}.2", state="held",
            annotator=ada if number == 1 else grace, taken_at=now,
        )  # fmt: skip
    return str(campaign.key)


def use(key: str) -> dict[str, Any]:
    """Go on with the campaign in a database that has been brought up to date."""
    from django.test import Client

    from gistmark.web.accounts.models import Token, User
    from gistmark.web.annotate.services.claims import next_task
    from gistmark.web.annotate.services.drafts import browser_payload
    from gistmark.web.annotate.services.submissions import exported_corpus
    from gistmark.web.campaigns.models import Campaign, Consent
    from gistmark.web.campaigns.services.corpora import corpus_of
    from gistmark.web.campaigns.services.protocols import protocol_of
    from web.annotate.answering import submit, whole

    campaign = Campaign.objects.get(key=key)
    bare = Campaign.objects.get(name="Bare")
    consents = Consent.objects.filter(membership__campaign__in=(campaign, bare))
    corpus = corpus_of(campaign)
    for name in ("ada", "grace"):
        user = User.objects.get(username=name)
        while (task := next_task(campaign, user)) is not None:
            submit(task.pk, user, uuid4(), whole(browser_payload(task)))
    client = Client(SERVER_NAME="localhost")
    client.force_login(campaign.owner)
    pages = ("", "documents/", "documents/1/", "checks/", "people/", "work/", "export/folder/")
    return {
        "documents": [each.id for each in corpus.documents],
        "summaries": [[each.document, each.system, each.reference] for each in corpus.summaries],
        "highlights": [each.document for each in corpus.highlights],
        "questions": [each.document for each in corpus.questions],
        "consents": sorted(
            [each.membership.campaign.name, each.membership.user.username, each.text is not None]
            for each in consents
        ),
        "texts": [
            each.text and each.text.text == protocol_of(campaign).consent
            for each in consents.filter(text__isnull=False)
        ],
        "planted": [each.document for each in corpus.planted],
        "created": Token.objects.get().created_at is not None,
        "bare": {
            "documents": len(corpus_of(bare).documents),
            "summaries": [[each.document, each.system] for each in corpus_of(bare).summaries],
            "rows": [[each.name, each.texts] for each in bare.documents.all()],
        },
        "ratings": sorted(
            [each.document, each.system, each.annotator]
            for each in exported_corpus(campaign).ratings
        ),
        "pages": [client.get(f"/campaigns/{key}/{page}").status_code for page in pages],
    }
