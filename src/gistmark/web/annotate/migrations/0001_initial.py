import uuid

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
            name="AdaptiveState",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("arms", models.JSONField()),
                ("evidence", models.JSONField()),
                ("merits", models.JSONField()),
                ("stopped_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="adaptive_state",
                        to="campaigns.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Batch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("open", models.PositiveIntegerField()),
                ("judges", models.PositiveIntegerField()),
                ("dimension", models.TextField(blank=True, default="")),
                ("group", models.PositiveIntegerField(null=True)),
                ("arm", models.PositiveIntegerField(null=True)),
                ("probability", models.FloatField(null=True)),
                ("among", models.PositiveIntegerField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="batches",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="BatchItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="annotate.batch",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="batch_items",
                        to="campaigns.document",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
            },
        ),
        migrations.AddField(
            model_name="batch",
            name="adjudicates",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="adjudicated_in",
                to="annotate.batchitem",
            ),
        ),
        migrations.CreateModel(
            name="DecisionGroup",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "verdict",
                    models.CharField(
                        choices=[("counts", "counts"), ("paid", "paid"), ("rejected", "rejected")],
                        max_length=10,
                    ),
                ),
                ("count", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decision_groups",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "manager",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decision_groups",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ItemSummary",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="summaries",
                        to="annotate.batchitem",
                    ),
                ),
                (
                    "summary",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="batch_items",
                        to="campaigns.summary",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("current", models.BooleanField(default=True)),
                ("answer", models.JSONField()),
                ("flags", models.JSONField(default=list)),
                (
                    "verdict",
                    models.CharField(
                        choices=[("counts", "counts"), ("paid", "paid"), ("rejected", "rejected")],
                        max_length=10,
                        null=True,
                    ),
                ),
                ("seconds", models.FloatField(null=True)),
                ("received_at", models.DateTimeField(auto_now_add=True)),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["task", "number"],
            },
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "verdict",
                    models.CharField(
                        choices=[("counts", "counts"), ("paid", "paid"), ("rejected", "rejected")],
                        max_length=10,
                    ),
                ),
                ("reason", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("undone", models.BooleanField(default=False)),
                (
                    "manager",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decisions",
                        to="annotate.decisiongroup",
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decisions",
                        to="annotate.submission",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("systems", models.JSONField(default=list)),
                ("answer", models.JSONField()),
                ("delegated", models.BooleanField(default=False)),
                ("note", models.TextField(blank=True)),
                ("withdrawn", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudications",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="adjudications",
                        to="annotate.batchitem",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="adjudications",
                        to="annotate.submission",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Task",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slot", models.CharField(max_length=40)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("held", "Held"),
                            ("done", "Done"),
                            ("paid", "Paid"),
                            ("rejected", "Rejected"),
                            ("late", "Late"),
                            ("lapsed", "Lapsed"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("allocated", models.BooleanField(default=False)),
                ("content", models.JSONField(null=True)),
                ("claimed_at", models.DateTimeField(null=True)),
                ("opened_at", models.DateTimeField(null=True)),
                ("lease_ends_at", models.DateTimeField(null=True)),
                ("done_at", models.DateTimeField(null=True)),
                ("flagged", models.BooleanField(default=False)),
                ("machine", models.BooleanField(default=False, editable=False)),
                ("group", models.PositiveIntegerField(editable=False, null=True)),
                (
                    "annotator",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tasks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tasks",
                        to="annotate.batch",
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tasks",
                        to="campaigns.campaign",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="submission",
            name="task",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="submissions",
                to="annotate.task",
            ),
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("answer", models.JSONField(default=dict)),
                ("version", models.PositiveIntegerField(default=0)),
                ("saved_at", models.DateTimeField(auto_now=True)),
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draft",
                        to="annotate.task",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("item", models.CharField(blank=True, max_length=20)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("comment", "Comment"),
                            ("problem", "report of a problem"),
                            ("release", "given back"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("time", "It takes too long, or I have no time now"),
                            ("language", "I do not know the language or the subject well enough"),
                            ("unclear", "It is not clear what I should do"),
                            ("broken", "Something on the page does not work"),
                            ("upsetting", "The text is upsetting"),
                            ("other", "Another reason"),
                        ],
                        max_length=10,
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("key", models.UUIDField(default=uuid.uuid4)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="comments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comments",
                        to="annotate.task",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.AddConstraint(
            model_name="batchitem",
            constraint=models.UniqueConstraint(
                fields=("batch", "position"), name="one_item_per_position"
            ),
        ),
        migrations.AddIndex(
            model_name="batch",
            index=models.Index(
                fields=["campaign", "open", "number"], name="annotate_ba_campaig_fd2bec_idx"
            ),
        ),
        migrations.AddIndex(
            model_name="batch",
            index=models.Index(
                fields=["campaign", "arm", "open"], name="annotate_ba_campaig_d73571_idx"
            ),
        ),
        migrations.AddConstraint(
            model_name="batch",
            constraint=models.UniqueConstraint(
                fields=("campaign", "number"), name="batch_numbers_differ"
            ),
        ),
        migrations.AddIndex(
            model_name="decisiongroup",
            index=models.Index(
                fields=["campaign", "manager"], name="annotate_de_campaig_107dd0_idx"
            ),
        ),
        migrations.AddConstraint(
            model_name="decisiongroup",
            constraint=models.CheckConstraint(
                condition=models.Q(("verdict__in", ("counts", "paid", "rejected"))),
                name="group_verdict_is_one_of_three",
            ),
        ),
        migrations.AddConstraint(
            model_name="itemsummary",
            constraint=models.UniqueConstraint(
                fields=("item", "position"), name="one_summary_per_position"
            ),
        ),
        migrations.AddConstraint(
            model_name="itemsummary",
            constraint=models.UniqueConstraint(
                fields=("item", "summary"), name="no_summary_twice_in_an_item"
            ),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.CheckConstraint(
                condition=models.Q(("verdict__in", ("counts", "paid", "rejected"))),
                name="decision_verdict_is_one_of_three",
            ),
        ),
        migrations.AddIndex(
            model_name="task",
            index=models.Index(
                fields=["campaign", "state", "lease_ends_at"], name="annotate_ta_campaig_ea0dc7_idx"
            ),
        ),
        migrations.AddIndex(
            model_name="task",
            index=models.Index(
                fields=["annotator", "campaign", "state"], name="annotate_ta_annotat_e03778_idx"
            ),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.UniqueConstraint(fields=("campaign", "slot"), name="slot_ids_differ"),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.UniqueConstraint(
                condition=models.Q(("annotator__isnull", False)),
                fields=("batch", "annotator"),
                name="nobody_has_a_batch_twice",
            ),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.UniqueConstraint(
                condition=models.Q(("annotator__isnull", False), ("group__isnull", False)),
                fields=("campaign", "annotator", "group"),
                name="nobody_has_a_group_twice",
            ),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("annotator__isnull", True), ("opened_at__isnull", True), ("state", "open")
                    ),
                    models.Q(
                        models.Q(("state", "open"), _negated=True), ("annotator__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="open_slots_were_never_anybodys",
            ),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("machine", False),
                    models.Q(
                        ("allocated", False),
                        ("annotator__isnull", False),
                        ("lease_ends_at__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="tasks_of_machines_are_not_leased",
            ),
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.UniqueConstraint(
                fields=("task", "key"), name="sent_twice_is_stored_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.UniqueConstraint(
                fields=("task", "number"), name="submissions_are_numbered"
            ),
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.UniqueConstraint(
                condition=models.Q(("current", True)),
                fields=("task",),
                name="one_submission_is_current",
            ),
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.CheckConstraint(
                condition=models.Q(("verdict__in", ("counts", "paid", "rejected"))),
                name="submission_verdict_is_one_of_three",
            ),
        ),
        migrations.AddConstraint(
            model_name="comment",
            constraint=models.UniqueConstraint(
                fields=("task", "key"), name="comment_sent_twice_is_one"
            ),
        ),
    ]
