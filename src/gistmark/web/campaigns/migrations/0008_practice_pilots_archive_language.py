"""Documents for practice, pilots, an archive of campaigns, and a language of their pages."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0007_words_of_earlier_campaigns")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="for_practice",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="campaign",
            name="archived_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="campaign",
            name="pilot_annotators",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="campaign",
            name="language",
            field=models.CharField(blank=True, default="", max_length=10),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="state",
            field=models.CharField(
                choices=[
                    ("draft", "Draft"),
                    ("pilot", "Pilot"),
                    ("running", "Running"),
                    ("paused", "Paused"),
                    ("closed", "Closed"),
                ],
                default="draft",
                max_length=10,
            ),
        ),
    ]
