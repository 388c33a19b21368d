from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_initial")]

    operations = [
        migrations.RenameField("link", "made_at", "created_at"),
        migrations.RenameField("link", "made_by", "created_by"),
        migrations.RenameField("token", "made_at", "created_at"),
        migrations.AlterModelOptions("link", {"ordering": ["-created_at"]}),
        migrations.AlterModelOptions("token", {"ordering": ["-created_at"]}),
        migrations.AlterField(
            "link",
            "created_by",
            models.ForeignKey(
                null=True,
                on_delete=models.deletion.SET_NULL,
                related_name="created_links",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
