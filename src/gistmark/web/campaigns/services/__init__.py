"""What can be done with a campaign; pages, the API and the command line all go through here."""

from gistmark.web.campaigns.services.campaigns import (
    change_settings,
    close,
    create_campaign,
    find_campaign,
    pause,
    record,
    resume,
)
from gistmark.web.campaigns.services.checks import (
    Generated,
    add_planted,
    add_question,
    approve,
    approve_all,
    generate_checks,
    question_of,
    remove,
    rewrite_planted,
    rewrite_question,
    triple_of,
)
from gistmark.web.campaigns.services.corpora import (
    corpus_of,
    material_of,
    planted_of,
    questions_of,
    texts_of,
)
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.campaigns.services.members import (
    add_member,
    campaign_for_manager,
    campaign_for_member,
    campaigns_known_to,
    campaigns_managed_by,
    give_consent,
    manages,
)
from gistmark.web.campaigns.services.protocols import (
    Outlook,
    change_protocol,
    outlook,
    protocol_of,
    readiness,
)
from gistmark.web.campaigns.services.uploads import read_upload

__all__ = [
    "Generated",
    "Outlook",
    "add_member",
    "add_planted",
    "add_question",
    "approve",
    "approve_all",
    "campaign_for_manager",
    "campaign_for_member",
    "campaigns_known_to",
    "campaigns_managed_by",
    "change_protocol",
    "change_settings",
    "close",
    "corpus_of",
    "create_campaign",
    "find_campaign",
    "generate_checks",
    "give_consent",
    "make_invitation",
    "manages",
    "material_of",
    "outlook",
    "pause",
    "planted_of",
    "protocol_of",
    "question_of",
    "questions_of",
    "read_upload",
    "readiness",
    "record",
    "remove",
    "resume",
    "rewrite_planted",
    "rewrite_question",
    "texts_of",
    "triple_of",
]
