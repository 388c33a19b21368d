from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def mark_managers(apps: StateApps, _: BaseDatabaseSchemaEditor) -> None:
    """Those who manage a campaign, and those who did before they became annotators of it."""
    memberships = apps.get_model("campaigns", "Membership").objects
    memberships.filter(role="manager").update(has_managed=True)
    for event in (
        apps.get_model("campaigns", "Event")
        .objects.filter(verb="joined", about__role="manager")
        .iterator()
    ):
        members = memberships.filter(campaign=event.campaign_id)
        members.filter(user__username=event.about.get("user", "")).update(has_managed=True)


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0008_practice_pilots_archive_language")]

    operations = [
        migrations.AddField("membership", "has_managed", models.BooleanField(default=False)),
        migrations.RunPython(mark_managers, migrations.RunPython.noop),
    ]
