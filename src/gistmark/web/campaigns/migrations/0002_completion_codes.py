"""Completion codes are derived for each task; a campaign only says whether it gives any."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0001_initial")]

    operations = [
        migrations.RemoveField(model_name="campaign", name="code"),
        migrations.AddField(
            model_name="campaign",
            name="completion_codes",
            field=models.BooleanField(default=False),
        ),
    ]
