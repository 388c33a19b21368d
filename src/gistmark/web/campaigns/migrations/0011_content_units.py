"""Content units of documents."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0010_versions")]

    operations = [
        migrations.CreateModel(
            name="Unit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=500)),
                ("text", models.TextField()),
                ("weight", models.FloatField(default=1.0)),
                ("reference", models.CharField(blank=True, max_length=500, null=True)),
                ("annotator", models.CharField(blank=True, max_length=500, null=True)),
                ("sources", models.JSONField(default=list)),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="units",
                        to="campaigns.document",
                    ),
                ),
            ],
            options={
                "ordering": ["document", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("document", "name"), name="unit_names_differ"),
                    models.CheckConstraint(
                        condition=Q(("weight__gt", 0)), name="units_weigh_something"
                    ),
                ],
            },
        ),
    ]
