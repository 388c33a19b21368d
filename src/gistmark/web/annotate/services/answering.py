"""Reading an answer that a browser sent, against the task that it was sent for."""

from __future__ import annotations

import json

from gistmark import judgements
from gistmark.errors import UsageError
from gistmark.judgements import Answer, Protocol, read_answer
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.opening import content_of
from gistmark.web.campaigns.services import texts_of


def answer_to(
    task: Task, protocol: Protocol, sent: object, *, draft: bool = False
) -> tuple[judgements.Task, Answer]:
    """The content of a task and the answer to it; an `AnswerError` has all that is wrong."""
    if "\\u0000" in json.dumps(sent, default=repr):
        raise UsageError("An answer must not have NUL characters (U+0000).")
    content = content_of(task)
    texts = None
    if protocol.kind == "highlight":
        texts = texts_of(task.campaign, [entry.document or "" for entry in content.entries])
    return content, read_answer(sent, protocol, content, texts=texts, draft=draft)
