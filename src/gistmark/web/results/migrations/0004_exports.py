"""Exports that are written beside the requests."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0011_content_units"),
        ("results", "0003_disagreements"),
    ]

    operations = [
        migrations.CreateModel(
            name="Export",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("format", models.CharField(max_length=40)),
                ("choices", models.CharField(blank=True, max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("ready", "Ready"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True)),
                ("fingerprint", models.CharField(blank=True, max_length=64)),
                ("file", models.CharField(blank=True, max_length=60)),
                ("name", models.CharField(blank=True, max_length=200)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("requested_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="exports",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["-requested_at", "-id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "format", "choices"), name="one_export_for_each_choice"
                    )
                ],
            },
        ),
    ]
