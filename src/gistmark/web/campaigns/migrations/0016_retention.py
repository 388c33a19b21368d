"""How many days after the end of a campaign its annotators are erased."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0015_sampling_and_adaptive")]

    operations = [
        migrations.AddField(
            "campaign", "retention_days", models.PositiveIntegerField(blank=True, null=True)
        )
    ]
