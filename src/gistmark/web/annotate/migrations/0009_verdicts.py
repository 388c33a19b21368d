"""Room for three verdicts instead of whether work is accepted."""

from django.db import migrations, models

_STATES = ("open", "held", "done", "paid", "rejected", "late", "lapsed")
_VERDICTS = ("counts", "paid", "rejected")
_MODELS = ("submission", "decisiongroup", "decision")


class Migration(migrations.Migration):
    dependencies = [("annotate", "0008_adjudication")]

    operations = [
        migrations.AlterField(
            model_name="task",
            name="state",
            field=models.CharField(
                choices=[(each, each.capitalize()) for each in _STATES],
                default="open",
                max_length=10,
            ),
        ),
        *(
            migrations.AddField(
                name,
                "verdict",
                models.CharField(
                    choices=[(each, each) for each in _VERDICTS], max_length=10, null=True
                ),
            )
            for name in _MODELS
        ),
        *(
            migrations.AlterField(name, "accepted", models.BooleanField(null=True))
            for name in _MODELS
        ),
    ]
