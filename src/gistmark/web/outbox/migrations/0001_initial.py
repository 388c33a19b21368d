import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import gistmark.web.config.storage.encryption


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("mail", "Mail"), ("webhook", "Webhook")], max_length=10
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("sent", "Sent"), ("failed", "Failed")],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("about", models.CharField(blank=True, db_index=True, max_length=60)),
                ("title", models.CharField(max_length=60)),
                ("content", gistmark.web.config.storage.encryption.EncryptedField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("due_at", models.DateTimeField()),
                ("tries", models.PositiveIntegerField(default=0)),
                ("ended_at", models.DateTimeField(null=True)),
                ("error", models.CharField(blank=True, max_length=300)),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["state", "due_at"], name="outbox_deli_state_0c0f7d_idx")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state", "waiting"), ("content", ""), _connector="OR"),
                        name="what_has_ended_is_forgotten",
                    )
                ],
            },
        ),
    ]
