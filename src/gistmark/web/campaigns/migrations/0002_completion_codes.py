"""Completion codes are derived for each task from a key of its campaign, if it gives any."""

from django.db import migrations, models

import gistmark.web.campaigns.models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0001_initial")]

    operations = [
        migrations.RemoveField(model_name="campaign", name="code"),
        migrations.AddField(
            model_name="campaign",
            name="completion_codes",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="campaign",
            name="code_key",
            field=models.CharField(
                default=gistmark.web.campaigns.models.draw_code_key, editable=False, max_length=32
            ),
        ),
    ]
