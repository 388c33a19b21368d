"""What the annotator's pages share: the campaign of a page, in its language, and scripts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gistmark.web.accounts.permissions import PersonRequest
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_member
from gistmark.web.interface.languages import use_language


def joined_campaign(request: PersonRequest, key: str) -> Campaign:
    """The campaign of this key, for somebody who takes part; the page is in its language."""
    campaign = campaign_for_member(request.user, key)
    use_language(request, campaign.language)
    return campaign


@cache
def modules_of(kind: str) -> tuple[str, ...]:
    """The scripts of a page, all of them requested at once instead of one after another.

    They are the page's own and those of its question type.
    """
    static = Path(__file__).parents[1] / "interface" / "static"
    folder = static / "annotate"
    patterns = ("*.js", "task/*.js", f"questions/{kind}.js", f"questions/{kind}/**/*.js")
    files = (file for pattern in patterns for file in sorted(folder.glob(pattern)))
    return tuple(file.relative_to(static).as_posix() for file in files)
