import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_identities"),
    ]

    operations = [
        migrations.AlterField(
            model_name="link",
            name="kind",
            field=models.CharField(
                choices=[
                    ("invitation", "Invitation"),
                    ("address", "Address"),
                    ("password", "Password"),
                ],
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="MailAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=254)),
                ("verified_at", models.DateTimeField(null=True)),
                ("reminders", models.BooleanField(default=True)),
                (
                    "digest",
                    models.CharField(
                        choices=[
                            ("never", "never"),
                            ("daily", "every day"),
                            ("weekly", "every week"),
                        ],
                        default="never",
                        max_length=10,
                    ),
                ),
                ("digested_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_address",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "mail addresses",
            },
        ),
    ]
