import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("campaigns", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ComprehensionQuestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("question", models.TextField()),
                ("options", models.JSONField()),
                ("right", models.PositiveSmallIntegerField()),
                ("explanation", models.TextField(blank=True, default="")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comprehension",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["position", "id"],
            },
        ),
        migrations.CreateModel(
            name="PracticeAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("pass_mark", models.PositiveSmallIntegerField()),
                ("correct", models.PositiveIntegerField(null=True)),
                ("total", models.PositiveIntegerField(null=True)),
                ("passed", models.BooleanField(null=True)),
                ("forgiven", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="practice_attempts",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="practice_attempts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="PracticeItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("further_systems", models.JSONField(default=list)),
                ("right", models.JSONField(null=True)),
                ("tolerance", models.FloatField(default=0.0)),
                ("reason", models.TextField(blank=True, default="")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="practice_items",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="practice_items",
                        to="campaigns.document",
                    ),
                ),
                (
                    "other_summary",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="practice_items_as_other",
                        to="campaigns.summary",
                    ),
                ),
                (
                    "summary",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="practice_items",
                        to="campaigns.summary",
                    ),
                ),
            ],
            options={
                "ordering": ["position", "id"],
            },
        ),
        migrations.CreateModel(
            name="PracticeAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("content", models.JSONField()),
                ("right", models.JSONField()),
                ("tolerance", models.FloatField()),
                ("reason", models.TextField(blank=True)),
                ("draft", models.JSONField(null=True)),
                ("version", models.PositiveIntegerField(default=0)),
                ("saved_at", models.DateTimeField(null=True)),
                ("key", models.UUIDField(null=True)),
                ("answer", models.JSONField(null=True)),
                ("marks", models.JSONField(null=True)),
                ("answered_at", models.DateTimeField(null=True)),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="qualification.practiceattempt",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="answers",
                        to="qualification.practiceitem",
                    ),
                ),
            ],
            options={
                "ordering": ["attempt", "position"],
            },
        ),
        migrations.CreateModel(
            name="PracticeSettings",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pass_mark", models.PositiveSmallIntegerField(default=70)),
                ("tries", models.PositiveSmallIntegerField(default=2)),
                ("required", models.BooleanField(default=True)),
                ("qualification", models.CharField(blank=True, default="", max_length=200)),
                ("leaves_out", models.BooleanField(default=True)),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="practice",
                        to="campaigns.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Qualification",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=200)),
                ("score", models.FloatField(null=True)),
                ("granted_at", models.DateTimeField(auto_now_add=True)),
                ("withdrawn_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="qualifications",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "granted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="qualifications",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="ComprehensionAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("answers", models.JSONField()),
                ("wrong", models.PositiveIntegerField()),
                ("passed", models.BooleanField()),
                ("forgiven", models.BooleanField(default=False)),
                ("finished_at", models.DateTimeField(auto_now_add=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comprehension_attempts",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comprehension_attempts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "user", "number"),
                        name="comprehension_attempts_are_numbered",
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="practiceattempt",
            constraint=models.UniqueConstraint(
                fields=("campaign", "user", "number"), name="practice_attempts_are_numbered"
            ),
        ),
        migrations.AddConstraint(
            model_name="practiceattempt",
            constraint=models.UniqueConstraint(
                condition=models.Q(("finished_at__isnull", True)),
                fields=("campaign", "user"),
                name="one_practice_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="practiceanswer",
            constraint=models.UniqueConstraint(
                fields=("attempt", "position"), name="one_practice_item_per_position"
            ),
        ),
        migrations.AddConstraint(
            model_name="practicesettings",
            constraint=models.CheckConstraint(
                condition=models.Q(("pass_mark__gte", 1), ("pass_mark__lte", 100)),
                name="pass_mark_is_a_percentage",
            ),
        ),
        migrations.AddConstraint(
            model_name="practicesettings",
            constraint=models.CheckConstraint(
                condition=models.Q(("tries__gte", 1)), name="there_is_a_try"
            ),
        ),
        migrations.AddConstraint(
            model_name="qualification",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn_at__isnull", True)),
                fields=("campaign", "user"),
                name="qualified_once",
            ),
        ),
    ]
