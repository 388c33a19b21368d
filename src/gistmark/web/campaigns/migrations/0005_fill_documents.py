"""Every name of a document becomes the row of that document.

A corpus may name documents that it does not hold; those get a row without texts, after the
others.
"""

from typing import Any

from django.db import migrations
from django.db.models import Max, OuterRef, Subquery

_REFERRING = ("Summary", "Highlight", "Question", "Planted")


def fill(apps: Any, schema_editor: Any) -> None:
    Document = apps.get_model("campaigns", "Document")
    for campaign in apps.get_model("campaigns", "Campaign").objects.values_list("pk", flat=True):
        _add_missing(apps, Document, campaign)
    for name in _REFERRING:
        model = apps.get_model("campaigns", name)
        named = Document.objects.filter(
            campaign=OuterRef("campaign"), name=OuterRef("document_name")
        )
        model.objects.filter(document_name__isnull=False).update(
            document=Subquery(named.values("pk")[:1])
        )


def _add_missing(apps: Any, Document: Any, campaign: int) -> None:
    documents = Document.objects.filter(campaign=campaign)
    known = set(documents.values_list("name", flat=True))
    referred: list[str] = []
    for name in _REFERRING:
        rows = apps.get_model("campaigns", name).objects.filter(campaign=campaign)
        named = rows.filter(document_name__isnull=False).order_by("pk")
        referred += named.values_list("document_name", flat=True)
    last = documents.aggregate(last=Max("position"))["last"]
    missing = [name for name in dict.fromkeys(referred) if name not in known]
    Document.objects.bulk_create(
        [
            Document(campaign_id=campaign, name=name, position=position)
            for position, name in enumerate(missing, start=0 if last is None else last + 1)
        ],
        batch_size=500,
    )


def empty(apps: Any, schema_editor: Any) -> None:
    """Back again: the names are still there; rows without texts are what `fill` added."""
    for name in _REFERRING:
        apps.get_model("campaigns", name).objects.update(document=None)
    apps.get_model("campaigns", "Document").objects.filter(texts__isnull=True).delete()


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0004_documents_beside_names")]

    operations = [migrations.RunPython(fill, empty)]
