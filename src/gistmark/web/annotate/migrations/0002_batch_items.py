import django.db.models.deletion
from django.db import migrations, models

_ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0001_initial"),
        ("campaigns", "0006_documents_are_keys"),
    ]

    operations = [
        migrations.RenameField("batch", "items", "named_items"),
        migrations.CreateModel(
            name="BatchItem",
            fields=[
                ("id", _ID),
                ("position", models.PositiveIntegerField()),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="annotate.batch",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="batch_items",
                        to="campaigns.document",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("batch", "position"), name="one_item_per_position"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemSummary",
            fields=[
                ("id", _ID),
                ("position", models.PositiveIntegerField()),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="summaries",
                        to="annotate.batchitem",
                    ),
                ),
                (
                    "summary",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="batch_items",
                        to="campaigns.summary",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("item", "position"), name="one_summary_per_position"
                    ),
                    models.UniqueConstraint(
                        fields=("item", "summary"), name="no_summary_twice_in_an_item"
                    ),
                ],
            },
        ),
    ]
