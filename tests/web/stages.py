"""A database that has lived through every earlier version, and was used in each of them.

Run as `python -m web.stages` with a database of its own. In each version a campaign is stored with
submitted work, as that version stored it; then the tables of the next version follow, and so on to
the present ones. In the first version two running campaigns are stored too, in which people then go
on. It prints the ratings that the export of each campaign has at the end, and what people met.
"""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import django

from web import halfway, upgrading

VERSIONS = {
    "first": [
        ("accounts", "0002_initial"),
        ("annotate", "0001_initial"),
        ("campaigns", "0002_completion_codes"),
        ("results", "0001_initial"),
    ],
    "keys": [
        ("accounts", "0003_created_at"),
        ("annotate", "0005_claims_and_decisions"),
        ("campaigns", "0007_words_of_earlier_campaigns"),
        ("results", "0002_created_at"),
    ],
    "adjudication": [
        ("accounts", "0003_created_at"),
        ("annotate", "0008_adjudication"),
        ("campaigns", "0011_content_units"),
        ("qualification", "0002_further_systems"),
        ("results", "0003_disagreements"),
    ],
    "attacked": [
        ("accounts", "0005_keys_are_unique"),
        ("annotate", "0008_adjudication"),
        ("campaigns", "0011_content_units"),
        ("qualification", "0002_further_systems"),
        ("results", "0003_disagreements"),
    ],
}
"""The tables of each version before the present one; docs/operations.md lists the same."""
VALUE = 3


class Version:
    """The tables as one version had them, and rows as it would have written them."""

    def __init__(self, name: str, apps: Any) -> None:
        self.name, self.apps = name, apps

    def create(self, app: str, model: str, /, **values: Any) -> Any:
        """A row with those of the values that the version has a column for."""
        kind = self.apps.get_model(app, model)
        known = {field.name for field in kind._meta.get_fields()}
        return kind.objects.create(**{name: v for name, v in values.items() if name in known})

    def fill(self) -> None:
        """A running campaign with a document, a summary, and a rating of it that counts."""
        from django.utils import timezone

        now = timezone.now()
        owner, ada = (
            self.create("accounts", "User", username=f"{who}-{self.name}", role=role, password="!",
                        key=f"{who}-{self.name}")
            for who, role in (("owner", "manager"), ("ada", "annotator"))
        )  # fmt: skip
        campaign = self.create(
            "campaigns", "Campaign", name=self.name, owner=owner, protocol=_protocol(),
            state="running", started_at=now,
        )  # fmt: skip
        self.create(
            "campaigns", "Membership", campaign=campaign, user=ada, role="annotator",
            consented_at=now,
        )  # fmt: skip
        batch = self._batch(campaign)
        task = self.create(
            "annotate", "Task", campaign=campaign, batch=batch, slot="1.1", state="done",
            annotator=ada, content=_content(ada.username), taken_at=now, claimed_at=now,
            opened_at=now, done_at=now,
        )  # fmt: skip
        answer = {"items": {"1": {"ratings": {"overall": {"value": VALUE}}}}}
        self.create(
            "annotate", "Submission", task=task, annotator=ada, key=uuid4(), number=1,
            answer=answer, accepted=True, verdict="counts", seconds=30.0,
        )  # fmt: skip

    def _batch(self, campaign: Any) -> Any:
        """The batch of the one item, however the version kept items."""
        document = self.create(
            "campaigns", "Document", campaign=campaign, name="d1", place=0, position=0,
            texts=["The text of d1."],
        )  # fmt: skip
        summaries = self.apps.get_model("campaigns", "Summary")
        by_key = summaries._meta.get_field("document").is_relation
        summary = self.create(
            "campaigns", "Summary", campaign=campaign, document=document if by_key else "d1",
            place=0, position=0, system="sys1", text="Short.",
        )  # fmt: skip
        batch = (
            self.create(
                "annotate", "Batch", campaign=campaign, number=1, open=0, items=[["d1", "sys1"]]
            )
            if not by_key
            else self.create("annotate", "Batch", campaign=campaign, number=1, open=0)
        )
        if by_key:
            item = self.create("annotate", "BatchItem", batch=batch, position=0, document=document)
            self.create("annotate", "ItemSummary", item=item, position=0, summary=summary)
        return batch


def _protocol() -> dict[str, Any]:
    from gistmark.judgements import configured, get_protocol, to_mapping

    changes = {"judges": 1, "items_per_task": 1, "checks": {"too_fast": "off"}}
    return to_mapping(configured(get_protocol("overall"), changes))


def _content(annotator: str) -> dict[str, Any]:
    from gistmark.judgements import Entry, Task

    return Task("1.1", annotator, 1, (Entry("1", "d1", ("sys1",)),)).to_mapping()


def live_through() -> dict[str, Any]:
    """Use every version in turn, and then the present one."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from gistmark.web.annotate.services.submissions import exported_corpus
    from gistmark.web.campaigns.models import Campaign
    from gistmark.web.config.start import apply_migrations

    running = ""
    for name, tables in VERSIONS.items():
        executor = MigrationExecutor(connection)
        executor.migrate(tables)
        apps = executor.loader.project_state(tables).apps
        Version(name, apps).fill()
        if not running:
            running = upgrading.build(apps)
            halfway.write_rows(apps)
    apply_migrations()
    exported = {
        campaign.name: [
            [each.document, each.system, each.annotator, each.dimension, each.value]
            for each in exported_corpus(campaign).ratings
        ]
        for campaign in Campaign.objects.filter(name__in=VERSIONS).order_by("pk")
    }
    return {"exported": exported, "used": upgrading.use(running), "halfway": halfway.go_on()}


if __name__ == "__main__":
    django.setup()
    print(json.dumps(live_through()))
