"""When somebody consented stands with their consents."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0012_consent_texts")]

    operations = [migrations.RemoveField("membership", "consented_at")]
