from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_keys_devices_audit")]

    operations = [
        migrations.RemoveConstraint("user", "names_differ_in_more_than_case"),
        migrations.AlterField(
            "user", "key", models.CharField(editable=False, max_length=500, unique=True)
        ),
        migrations.AlterField("token", "ends_at", models.DateTimeField()),
    ]
