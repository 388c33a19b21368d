"""Names: a task is claimed, and a decision is created."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0004_batch_items_are_rows"),
    ]

    operations = [
        migrations.RenameField("task", old_name="taken_at", new_name="claimed_at"),
        migrations.RenameField("decision", old_name="at", new_name="created_at"),
    ]
