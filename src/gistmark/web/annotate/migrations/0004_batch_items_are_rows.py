from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotate", "0003_fill_batch_items")]

    operations = [migrations.RemoveField("batch", "named_items")]
