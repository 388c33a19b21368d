"""The verdicts of work from before there were three.

What counted counts, and what was rejected stays rejected: files of approvals may have told a
market so. Work that came late, and on which nobody decided, has no verdict, as it had no approval.
"""

from typing import Any

from django.db import migrations
from django.db.models import Exists, OuterRef, Q, TextField
from django.db.models.functions import Cast

_MODELS = ("submission", "decisiongroup", "decision")
_LATE = '"kind": "late"'


def fill(apps: Any, schema_editor: Any) -> None:
    """Accepted work counts, other work is rejected, and late work waits for a manager."""
    submissions = apps.get_model("annotate", "Submission").objects
    for model in _MODELS:
        rows = apps.get_model("annotate", model).objects
        rows.filter(accepted=True).update(verdict="counts")
        rows.filter(accepted=False).update(verdict="rejected")
    flagged = submissions.annotate(written=Cast("flags", TextField()))
    late = flagged.filter(accepted=False, written__contains=_LATE).values("pk")
    submissions.filter(pk__in=late).update(verdict=None)
    _move_late_tasks(apps)


def _move_late_tasks(apps: Any) -> None:
    decision, submission, task = (
        apps.get_model("annotate", name) for name in ("Decision", "Submission", "Task")
    )
    decided = decision.objects.filter(submission=OuterRef("pk"), undone=False)
    waiting = submission.objects.filter(
        ~Exists(decided), task=OuterRef("pk"), current=True, verdict=None
    )
    task.objects.filter(Exists(waiting), state="rejected").update(state="late")


def forget(apps: Any, schema_editor: Any) -> None:
    """The way back: what does not count was rejected."""
    for model in _MODELS:
        rows = apps.get_model("annotate", model).objects
        rows.update(accepted=False)
        rows.filter(verdict="counts").update(accepted=True)
    tasks = apps.get_model("annotate", "Task").objects
    tasks.filter(Q(state="paid") | Q(state="late")).update(state="rejected")


class Migration(migrations.Migration):
    dependencies = [("annotate", "0009_verdicts")]

    operations = [migrations.RunPython(fill, forget)]
