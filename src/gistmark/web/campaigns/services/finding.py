"""Finding a campaign by what people call it."""

from __future__ import annotations

from django.db.models import Q

from gistmark.errors import UsageError
from gistmark.web.campaigns.models import Campaign


def find_campaign(named: str) -> Campaign:
    """The campaign with this key or name."""
    found = Campaign.objects.select_related("owner").filter(Q(key=named) | Q(name=named)).first()
    if found is None:
        raise UsageError(
            f"There is no campaign with the key or name {named!r}; `gistmark campaign list` "
            "names all."
        )
    return found
