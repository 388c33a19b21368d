from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("results", "0001_initial")]

    operations = [migrations.RenameField("statistics", "made_at", "created_at")]
