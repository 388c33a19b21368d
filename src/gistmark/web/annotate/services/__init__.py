"""What can be done with tasks; pages, the API and the command line all go through here."""

from gistmark.web.annotate.outcomes import accepted_results, counting
from gistmark.web.annotate.services.capacity import (
    finished,
    full_pilots,
    is_last,
    submitted_by,
)
from gistmark.web.annotate.services.claims import Allocated, allocate, next_task
from gistmark.web.annotate.services.comments import (
    LONGEST_COMMENT,
    add_comment,
    comments_of,
    give_back,
)
from gistmark.web.annotate.services.decisions import (
    Decided,
    DecidedMany,
    decide,
    decide_many,
    last_group,
    undo,
)
from gistmark.web.annotate.services.drafts import (
    StaleDraftError,
    browser_payload,
    language_of,
    save_draft,
    task_for,
)
from gistmark.web.annotate.services.launch import (
    copy_campaign,
    layout_in,
    load_sample,
    new_version,
    start,
    version_name,
)
from gistmark.web.annotate.services.leases import (
    find_task,
    release,
    release_expired,
    release_of,
)
from gistmark.web.annotate.services.pilots import (
    Pilot,
    discard_pilot,
    keep_pilot,
    pilot_of,
    start_pilot,
)
from gistmark.web.annotate.services.previews import (
    PreviewedTask,
    check_preview,
    preview_task,
)
from gistmark.web.annotate.services.submissions import (
    LATE,
    corpus_to_export,
    exported_corpus,
    reply_to,
    submit,
    with_highlights_of,
)

__all__ = [
    "LATE",
    "LONGEST_COMMENT",
    "Allocated",
    "Decided",
    "DecidedMany",
    "Pilot",
    "PreviewedTask",
    "StaleDraftError",
    "accepted_results",
    "add_comment",
    "allocate",
    "browser_payload",
    "check_preview",
    "comments_of",
    "copy_campaign",
    "corpus_to_export",
    "counting",
    "decide",
    "decide_many",
    "discard_pilot",
    "exported_corpus",
    "find_task",
    "finished",
    "full_pilots",
    "give_back",
    "is_last",
    "keep_pilot",
    "language_of",
    "last_group",
    "layout_in",
    "load_sample",
    "new_version",
    "next_task",
    "pilot_of",
    "preview_task",
    "release",
    "release_expired",
    "release_of",
    "reply_to",
    "save_draft",
    "start",
    "start_pilot",
    "submit",
    "submitted_by",
    "task_for",
    "undo",
    "version_name",
    "with_highlights_of",
]
