"""A campaign may have a language; without one its annotators' browsers choose."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0010_pilots")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="language",
            field=models.CharField(blank=True, default="", max_length=10),
        )
    ]
