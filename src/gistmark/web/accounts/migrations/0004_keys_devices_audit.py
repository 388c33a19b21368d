from datetime import timedelta

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone

from gistmark.web.accounts.names import name_key


def fill_keys(apps: StateApps, _: BaseDatabaseSchemaEditor) -> None:
    """Of names that count as the same from now on, the oldest account gets the key itself."""
    taken = set()
    for user in apps.get_model("accounts", "User").objects.order_by("pk").iterator():
        key = name_key(user.username)
        user.key = f"{key}#{user.pk}" if key in taken else key
        taken.add(key)
        user.save(update_fields=["key"])


def end_tokens(apps: StateApps, _: BaseDatabaseSchemaEditor) -> None:
    """Tokens that had no end get one a year from now."""
    end = timezone.now() + timedelta(days=365)
    apps.get_model("accounts", "Token").objects.update(ends_at=end)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_created_at")]

    operations = [
        migrations.AddField("user", "key", models.CharField(max_length=500, null=True)),
        migrations.AddField("token", "ends_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "token",
            "scope",
            models.CharField(
                choices=[
                    ("all", "everything that I may do"),
                    ("read", "only read, change nothing"),
                    ("tasks", "only work on my own tasks"),
                ],
                default="all",
                max_length=10,
            ),
        ),
        migrations.RunPython(fill_keys, migrations.RunPython.noop),
        migrations.RunPython(end_tokens, migrations.RunPython.noop),
        migrations.CreateModel(
            "Device",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("session", models.CharField(max_length=40, unique=True)),
                ("agent", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="devices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-created_at"]},
        ),
        migrations.CreateModel(
            "AuditEntry",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True, db_index=True)),
                ("verb", models.CharField(max_length=30)),
                ("by", models.CharField(blank=True, max_length=150)),
                ("name", models.CharField(blank=True, db_index=True, max_length=150)),
                ("about", models.JSONField(default=dict)),
            ],
            options={"ordering": ["-id"], "verbose_name_plural": "audit entries"},
        ),
    ]
