"""Batches know how many judges they want, their dimension and their group of documents.

Until now every batch had as many judges as the protocol of its campaign says, or its pilot, except
those that adjudicate.
"""

from typing import Any

from django.conf import settings
from django.db import migrations, models


def fill(apps: Any, schema_editor: Any) -> None:
    Batch = apps.get_model("annotate", "Batch")
    campaigns = apps.get_model("campaigns", "Campaign").objects.exclude(batches=None)
    for campaign in campaigns.only("protocol", "pilot_annotators").distinct():
        judges = campaign.pilot_annotators or campaign.protocol["judges"]
        Batch.objects.filter(campaign=campaign, adjudicates=None).update(judges=judges)


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0013_machines"),
        ("campaigns", "0017_machines"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="judges",
            field=models.PositiveIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="batch",
            name="dimension",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddField(
            model_name="batch",
            name="group",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="task",
            name="group",
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.UniqueConstraint(
                condition=models.Q(("annotator__isnull", False), ("group__isnull", False)),
                fields=("campaign", "annotator", "group"),
                name="nobody_has_a_group_twice",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
