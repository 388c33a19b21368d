import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import gistmark.web.campaigns.models
import gistmark.web.config.storage.encryption


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("campaigns", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="MarketAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=gistmark.web.campaigns.models.draw_key,
                        editable=False,
                        max_length=10,
                        unique=True,
                    ),
                ),
                ("market", models.CharField(max_length=40)),
                ("hint", models.CharField(max_length=4)),
                ("workspace", models.CharField(blank=True, default="", max_length=100)),
                ("workspace_title", models.CharField(blank=True, default="", max_length=200)),
                ("currency", models.CharField(default="GBP", max_length=3)),
                ("hooks", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="market_accounts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="MarketSecrets",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="secrets",
                        serialize=False,
                        to="crowd.marketaccount",
                    ),
                ),
                ("token", gistmark.web.config.storage.encryption.EncryptedField()),
                (
                    "hook_secret",
                    gistmark.web.config.storage.encryption.EncryptedField(blank=True, default=""),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MarketEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("event", models.CharField(max_length=100)),
                ("received_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="crowd.marketaccount",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Participant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("market", models.CharField(max_length=40)),
                ("pid", models.CharField(max_length=100)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="participant",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Recruitment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=gistmark.web.campaigns.models.draw_key,
                        editable=False,
                        max_length=10,
                        unique=True,
                    ),
                ),
                ("market", models.CharField(max_length=40)),
                ("study", models.CharField(blank=True, default="", max_length=100)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("active", "Active"),
                            ("paused", "Paused"),
                            ("ended", "Ended"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("settings", models.JSONField(default=dict)),
                ("codes", models.JSONField(default=dict)),
                ("market_status", models.CharField(blank=True, default="", max_length=40)),
                ("attempted_at", models.DateTimeField(null=True)),
                ("synced_at", models.DateTimeField(null=True)),
                ("report", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="recruitments",
                        to="crowd.marketaccount",
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recruitments",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="BonusPayment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("bulk", models.CharField(max_length=100, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("set-up", "waits to be confirmed"),
                            ("sent", "is being sent"),
                            ("paid", "Paid"),
                            ("unsure", "may have been paid"),
                        ],
                        default="set-up",
                        max_length=10,
                    ),
                ),
                ("amount", models.PositiveIntegerField()),
                ("total", models.PositiveIntegerField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("sent_at", models.DateTimeField(null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "recruitment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bonus_payments",
                        to="crowd.recruitment",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Visit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("session", models.CharField(max_length=100)),
                ("status", models.CharField(blank=True, default="", max_length=40)),
                ("outcome", models.CharField(blank=True, default="", max_length=30)),
                ("browser", models.CharField(blank=True, default="", max_length=64)),
                ("arrived_at", models.DateTimeField(blank=True, null=True)),
                ("verified_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("code_shown_at", models.DateTimeField(blank=True, null=True)),
                ("synced_at", models.DateTimeField(blank=True, null=True)),
                ("status_at", models.DateTimeField(null=True)),
                ("entered_code", models.CharField(blank=True, default="", max_length=100)),
                (
                    "review",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("approve", "approved"),
                            ("reject", "rejected"),
                            ("return", "asked to return"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("reviewed_at", models.DateTimeField(null=True)),
                (
                    "participant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="visits",
                        to="crowd.participant",
                    ),
                ),
                (
                    "recruitment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="visits",
                        to="crowd.recruitment",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Bonus",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amount", models.PositiveIntegerField()),
                (
                    "payment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bonuses",
                        to="crowd.bonuspayment",
                    ),
                ),
                (
                    "visit",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bonus",
                        to="crowd.visit",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.AddConstraint(
            model_name="marketaccount",
            constraint=models.UniqueConstraint(
                fields=("owner", "market"), name="one_account_per_market"
            ),
        ),
        migrations.AddConstraint(
            model_name="marketevent",
            constraint=models.UniqueConstraint(
                fields=("account", "event"), name="an_event_is_taken_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="participant",
            constraint=models.UniqueConstraint(
                fields=("market", "pid"), name="a_participant_is_one_person"
            ),
        ),
        migrations.AddConstraint(
            model_name="recruitment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("study", ""), _negated=True),
                fields=("market", "study"),
                name="a_study_recruits_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="recruitment",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["draft", "active", "paused", "ended"])),
                name="recruitment_state_is_known",
            ),
        ),
        migrations.AddIndex(
            model_name="visit",
            index=models.Index(
                fields=["recruitment", "status"], name="crowd_visit_recruit_356561_idx"
            ),
        ),
        migrations.AddConstraint(
            model_name="visit",
            constraint=models.UniqueConstraint(
                fields=("recruitment", "session"), name="a_session_is_one_visit"
            ),
        ),
        migrations.AddConstraint(
            model_name="visit",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "outcome__in",
                        [
                            "",
                            "completed",
                            "no_consent",
                            "failed_comprehension",
                            "screened_out",
                            "too_late",
                        ],
                    )
                ),
                name="visit_outcome_is_known",
            ),
        ),
    ]
