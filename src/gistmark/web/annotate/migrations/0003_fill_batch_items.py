"""The items of a batch, lists of a document's name and its systems, become rows."""

from typing import Any

from django.db import migrations


def fill(apps: Any, schema_editor: Any) -> None:
    campaigns = apps.get_model("campaigns", "Campaign").objects.values_list("pk", flat=True)
    for campaign in campaigns:
        _fill(apps, campaign)


def _fill(apps: Any, campaign: int) -> None:
    Document, Summary, Batch, BatchItem, ItemSummary = (
        apps.get_model(app, name)
        for app, name in (
            ("campaigns", "Document"),
            ("campaigns", "Summary"),
            ("annotate", "Batch"),
            ("annotate", "BatchItem"),
            ("annotate", "ItemSummary"),
        )
    )
    documents = dict(Document.objects.filter(campaign=campaign).values_list("name", "pk"))
    rows = Summary.objects.filter(document__campaign=campaign)
    summaries = {
        (document, system): pk
        for pk, document, system in rows.values_list("pk", "document__name", "system")
    }
    named = [
        (batch, position, document, systems)
        for batch, items in Batch.objects.filter(campaign=campaign).values_list("pk", "named_items")
        for position, (document, *systems) in enumerate(items)
    ]
    items = BatchItem.objects.bulk_create(
        [
            BatchItem(batch_id=batch, position=position, document_id=documents[document])
            for batch, position, document, _ in named
        ],
        batch_size=500,
    )
    ItemSummary.objects.bulk_create(
        [
            ItemSummary(item=item, position=position, summary_id=summaries[document, system])
            for item, (_, _, document, systems) in zip(items, named, strict=True)
            for position, system in enumerate(systems)
        ],
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [("annotate", "0002_batch_items")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
