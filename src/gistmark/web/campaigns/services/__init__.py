"""What can be done with a campaign; pages, the API and the command line all go through here."""

from gistmark.web.campaigns.services.audit import record
from gistmark.web.campaigns.services.corpora import (
    corpus_of,
    material_of,
    planted_of,
    questions_of,
    texts_of,
)
from gistmark.web.campaigns.services.finding import find_campaign
from gistmark.web.campaigns.services.generation import Generated, generate_checks
from gistmark.web.campaigns.services.making import create_campaign
from gistmark.web.campaigns.services.people import add_member, give_consent, manages
from gistmark.web.campaigns.services.progress import Member, Progress, members_of, progress_of
from gistmark.web.campaigns.services.protocols import change_protocol, protocol_of
from gistmark.web.campaigns.services.readiness import Outlook, outlook, readiness
from gistmark.web.campaigns.services.review import (
    add_planted,
    add_question,
    approve,
    approve_all,
    question_of,
    remove,
    rewrite_planted,
    rewrite_question,
    triple_of,
)
from gistmark.web.campaigns.services.settings import change_settings
from gistmark.web.campaigns.services.states import close, pause, resume, start
from gistmark.web.campaigns.services.uploads import read_upload

__all__ = [
    "Generated",
    "Member",
    "Outlook",
    "Progress",
    "add_member",
    "add_planted",
    "add_question",
    "approve",
    "approve_all",
    "change_protocol",
    "change_settings",
    "close",
    "corpus_of",
    "create_campaign",
    "find_campaign",
    "generate_checks",
    "give_consent",
    "manages",
    "material_of",
    "members_of",
    "outlook",
    "pause",
    "planted_of",
    "progress_of",
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
    "start",
    "texts_of",
    "triple_of",
]
