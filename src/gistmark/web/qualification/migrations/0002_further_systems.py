"""Practice items of more than two summaries."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("qualification", "0001_practice")]

    operations = [
        migrations.AddField("practiceitem", "further_systems", models.JSONField(default=list))
    ]
