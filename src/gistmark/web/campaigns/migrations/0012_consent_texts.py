"""Consents with the text that was agreed to.

Which text it was is known where the trail of the campaign says that its consent text did not
change afterwards. Other consents are kept without a text, and their people are asked again.
"""

from __future__ import annotations

from hashlib import sha256

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def keep_consents(apps: StateApps, _: BaseDatabaseSchemaEditor) -> None:
    """A consent for each membership that had one."""
    memberships = apps.get_model("campaigns", "Membership").objects
    consents = apps.get_model("campaigns", "Consent").objects
    texts = apps.get_model("campaigns", "ConsentText").objects
    given = memberships.filter(consented_at__isnull=False).select_related("campaign")
    for membership in given.iterator():
        text = None
        if not _changed_after(apps, membership):
            words = str(membership.campaign.protocol.get("consent", ""))
            found = sha256(words.encode()).hexdigest()
            text, _ = texts.get_or_create(hash=found, defaults={"text": words})
        consents.create(membership=membership, text=text, at=membership.consented_at)


def _changed_after(apps: StateApps, membership: object) -> bool:
    """Whether the consent text was, or may have been, changed after somebody agreed to it."""
    changes = apps.get_model("campaigns", "Event").objects.filter(
        campaign=membership.campaign,  # type: ignore[attr-defined]
        verb="protocol-changed",
        at__gte=membership.consented_at,  # type: ignore[attr-defined]
    )
    return any(
        "consent" in event.about.get("settings", ["consent"]) for event in changes.iterator()
    )


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0011_content_units")]

    operations = [
        migrations.CreateModel(
            name="ConsentText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("hash", models.CharField(max_length=64, unique=True)),
                ("text", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["id"]},
        ),
        migrations.CreateModel(
            name="Consent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "membership",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="consents",
                        to="campaigns.membership",
                    ),
                ),
                (
                    "text",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="consents",
                        to="campaigns.consenttext",
                    ),
                ),
            ],
            options={
                "ordering": ["at", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("membership", "text"), name="one_consent_per_text"
                    )
                ],
            },
        ),
        migrations.RunPython(keep_consents, migrations.RunPython.noop),
    ]
