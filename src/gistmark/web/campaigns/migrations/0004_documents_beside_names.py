"""Documents become foreign keys, in three steps: this one makes room for them beside the names.

PostgreSQL does not change a table in the transaction that has just written to it, so the rows are
filled in by a migration of their own.
"""

from typing import Any

from django.db import migrations, models


def _key(*, related_name: str) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        "campaigns.document",
        null=True,
        on_delete=models.deletion.CASCADE,
        related_name=related_name,
    )


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0003_anonymous_summaries")]

    operations = [
        migrations.RenameField("campaign", "made_at", "created_at"),
        migrations.AlterModelOptions("campaign", {"ordering": ["-created_at"]}),
        migrations.RenameField("document", "place", "position"),
        migrations.AlterModelOptions("document", {"ordering": ["position"]}),
        migrations.RenameField("summary", "place", "position"),
        migrations.AlterModelOptions("summary", {"ordering": ["position"]}),
        migrations.AlterField("document", "texts", models.JSONField(null=True)),
        migrations.RemoveConstraint("summary", "one_summary_per_system"),
        migrations.RemoveIndex("summary", "campaigns_s_campaig_290290_idx"),
        migrations.RemoveIndex("highlight", "campaigns_h_campaig_4c62d0_idx"),
        migrations.RenameField("summary", "document", "document_name"),
        migrations.RenameField("highlight", "document", "document_name"),
        migrations.RenameField("question", "document", "document_name"),
        migrations.RenameField("planted", "document", "document_name"),
        migrations.AddField("summary", "document", _key(related_name="summaries")),
        migrations.AddField("highlight", "document", _key(related_name="highlights")),
        migrations.AddField("question", "document", _key(related_name="questions")),
        migrations.AddField("planted", "document", _key(related_name="planted")),
    ]
