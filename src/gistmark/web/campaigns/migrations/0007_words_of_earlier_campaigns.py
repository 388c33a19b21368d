"""Campaigns that have started keep their words: what white space separates, in any script."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def keep_words(apps: Any, schema_editor: Any) -> None:
    campaigns = apps.get_model("campaigns", "campaign").objects.exclude(state="draft")
    for campaign in campaigns.filter(protocol__kind="highlight").iterator():
        if "words" not in campaign.protocol:
            campaign.protocol = {**campaign.protocol, "words": "space"}
            campaign.save(update_fields=["protocol"])


def forget_words(apps: Any, schema_editor: Any) -> None:
    """Back again: earlier versions know no such setting."""
    for campaign in apps.get_model("campaigns", "campaign").objects.iterator():
        if campaign.protocol.pop("words", None) is not None:
            campaign.save(update_fields=["protocol"])


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0006_documents_are_keys")]

    operations = [migrations.RunPython(keep_words, forget_words)]
