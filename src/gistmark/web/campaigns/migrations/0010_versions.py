"""Which campaign another one is a new version of."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0009_who_has_managed")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="previous",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="versions",
                to="campaigns.campaign",
            ),
        ),
    ]
