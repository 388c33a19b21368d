from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0002_completion_codes")]

    operations = [
        migrations.AddField(
            model_name="summary",
            name="anonymous",
            field=models.BooleanField(default=False),
        ),
    ]
