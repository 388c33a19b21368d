"""The names of documents go; summaries and highlights belong to a document, not to a campaign."""

from typing import Any

from django.db import migrations, models


def _key(*, related_name: str) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        "campaigns.document", on_delete=models.deletion.CASCADE, related_name=related_name
    )


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0005_fill_documents"),
    ]

    operations = [
        migrations.AlterField("summary", "document", _key(related_name="summaries")),
        migrations.AlterField("highlight", "document", _key(related_name="highlights")),
        migrations.AlterField("question", "document", _key(related_name="questions")),
        migrations.AlterField(
            "planted",
            "document",
            models.ForeignKey(
                "campaigns.document",
                blank=True,
                null=True,
                on_delete=models.deletion.CASCADE,
                related_name="planted",
            ),
        ),
        migrations.RemoveField("summary", "document_name"),
        migrations.RemoveField("highlight", "document_name"),
        migrations.RemoveField("question", "document_name"),
        migrations.RemoveField("planted", "document_name"),
        migrations.RemoveField("summary", "campaign"),
        migrations.RemoveField("highlight", "campaign"),
        migrations.AddConstraint(
            "document",
            models.UniqueConstraint(fields=["campaign", "position"], name="one_document_each"),
        ),
        migrations.AddConstraint(
            "summary",
            models.UniqueConstraint(fields=["document", "system"], name="one_summary_per_system"),
        ),
    ]
