"""What can be done with tasks; pages, the API and the command line all go through here."""

from gistmark.web.annotate.services.allocating import Allocated, allocate
from gistmark.web.annotate.services.deciding import Decided, decide
from gistmark.web.annotate.services.drafts import StaleDraftError, save_draft
from gistmark.web.annotate.services.handing_in import LATE, hand_in, reply_to, submit
from gistmark.web.annotate.services.leases import release, release_expired, release_of
from gistmark.web.annotate.services.opening import browser_payload, task_for
from gistmark.web.annotate.services.results import accepted_results, exported_corpus
from gistmark.web.annotate.services.taking import next_task

__all__ = [
    "LATE",
    "Allocated",
    "Decided",
    "StaleDraftError",
    "accepted_results",
    "allocate",
    "browser_payload",
    "decide",
    "exported_corpus",
    "hand_in",
    "next_task",
    "release",
    "release_expired",
    "release_of",
    "reply_to",
    "save_draft",
    "submit",
    "task_for",
]
