from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0009_archived_campaigns"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="pilot_annotators",
            field=models.PositiveIntegerField(blank=True, null=True),
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
