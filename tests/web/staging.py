"""Sets a campaign up on the database of a server, and looks what is in it: `staging make|look`."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from typing import Any

import django

DOCUMENTS = int(os.environ.get("GISTMARK_STAGED_DOCUMENTS", "15"))
PEOPLE = int(os.environ.get("GISTMARK_STAGED_PEOPLE", "12"))
JUDGES = 4


def make() -> dict[str, Any]:
    """A campaign, and annotators who are logged in and have consented."""
    from gistmark.web.campaigns.services.consents import give_consent
    from web.factories import make_campaign, make_corpus, make_user

    owner = make_user("admin", password=None)
    people = tuple(make_user(password=None) for _ in range(PEOPLE))
    corpus = make_corpus(documents=DOCUMENTS, systems=1)
    campaign = make_campaign(owner=owner, corpus=corpus, annotators=people, judges=JUDGES)
    for user in people:
        give_consent(campaign, user)
    return {"campaign": campaign.key, "sessions": [_session(user) for user in people]}


def look() -> dict[str, Any]:
    """Every submission's key, and for each batch how many slots are in which state."""
    from gistmark.web.annotate.models import Batch, Submission, Task

    states = Task.objects.values_list("batch__number", "state")
    return {
        "keys": [str(key) for key in Submission.objects.values_list("key", flat=True)],
        "current": Submission.objects.filter(current=True).count(),
        "places": [[batch, state, n] for (batch, state), n in sorted(Counter(states).items())],
        "judges": [list(pair) for pair in Task.objects.values_list("batch__number", "annotator")],
        "open": sum(Batch.objects.values_list("open", flat=True)),
    }


def _session(user: Any) -> str:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


if __name__ == "__main__":
    django.setup()
    print(json.dumps({"make": make, "look": look}[sys.argv[1]]()))
