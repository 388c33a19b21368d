"""Whether work is accepted is told by its verdict alone."""

from django.db import migrations, models

_VERDICTS = ("counts", "paid", "rejected")


def _constraint(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=models.Q(("verdict__in", _VERDICTS)), name=f"{name}_verdict_is_one_of_three"
    )


class Migration(migrations.Migration):
    dependencies = [("annotate", "0010_fill_verdicts")]

    operations = [
        *(
            migrations.RemoveField(name, "accepted")
            for name in ("submission", "decisiongroup", "decision")
        ),
        *(
            migrations.AlterField(
                name,
                "verdict",
                models.CharField(choices=[(each, each) for each in _VERDICTS], max_length=10),
            )
            for name in ("decisiongroup", "decision")
        ),
        migrations.AddConstraint("submission", _constraint("submission")),
        migrations.AddConstraint("decisiongroup", _constraint("group")),
        migrations.AddConstraint("decision", _constraint("decision")),
    ]
