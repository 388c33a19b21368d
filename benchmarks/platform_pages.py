"""How long the platform's pages take with a large campaign: seconds and queries of each.

    python benchmarks/platform_pages.py [--annotators 40] [--tasks 5000] [--campaigns 200]

A database of its own is made in a temporary folder and filled in bulk: one campaign with that many
tasks, most of them submitted, and many small drafts beside it. Every page is asked for once to warm
up and then three times, and the median counts; those with statistics also once before these are
known. The second column is the processor's time, which tells more on a machine that is busy with
other work. There is no peer to compare with and no threshold; the numbers are there to be read.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

CHUNK = 2000
PAGES = (
    ("the list of campaigns", "/campaigns/"),
    ("the list, searched", "/campaigns/?q=draft&state=draft"),
    ("everybody's accounts", "/people/"),
    ("the dashboard", "/campaigns/{key}/"),
    ("its numbers (first)", "/campaigns/{key}/numbers/"),
    ("its numbers (known)", "/campaigns/{key}/numbers/"),
    ("work to review", "/campaigns/{key}/work/"),
    ("all work", "/campaigns/{key}/work/?show=all"),
    ("work of one annotator", "/campaigns/{key}/work/?show=all&annotator=annotator-00001"),
    ("work about a text", "/campaigns/{key}/work/?text=Title+of+d1&check=too_fast"),
    ("a submission", "/campaigns/{key}/work/{submission}/?show=to-review"),
    ("disputed items (first)", "/campaigns/{key}/adjudication/"),
    ("disputed items (known)", "/campaigns/{key}/adjudication/"),
    ("a disputed item", "/campaigns/{key}/adjudication/{item}/"),
    ("people of the campaign", "/campaigns/{key}/people/"),
    ("checks", "/campaigns/{key}/checks/"),
    ("settings", "/campaigns/{key}/settings/"),
    ("documents", "/campaigns/{key}/documents/"),
    ("a document", "/campaigns/{key}/documents/0/"),
    ("a preview", "/campaigns/{key}/preview/task/?task=9"),
    ("a draft's overview", "/campaigns/{draft}/"),
    ("API: members", "/api/campaigns/{key}/members"),
    ("API: submissions", "/api/campaigns/{key}/submissions"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--annotators", type=int, default=40)
    parser.add_argument("--tasks", type=int, default=5000)
    parser.add_argument("--campaigns", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gistmark-pages-") as folder:
        set_up(folder)
        began = time.perf_counter()
        keys = fill(options.annotators, options.tasks, options.campaigns)
        print(f"filled in {time.perf_counter() - began:.1f} s: {options}")
        measure(keys)
        decide(keys["key"])


def set_up(folder: str) -> None:
    """A platform of its own; the tests' factories make what is in it."""
    os.environ["GISTMARK_DATA"] = folder
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gistmark.web.config.settings")
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def fill(annotators: int, tasks: int, campaigns: int) -> dict[str, Any]:
    """The campaign in which three of four tasks are submitted, and the drafts."""
    from web.factories import make_campaign, make_corpus, make_user

    owner = make_user("admin", name="owner", password=None)
    people = [
        make_user(name=f"annotator-{number:05}", password=None)
        for number in range(1, annotators + 1)
    ]
    small = make_corpus(documents=1, systems=1)
    for number in range(campaigns):
        make_campaign(owner=owner, corpus=small, running=False, name=f"Draft {number}")
    judges, systems = 5, 4
    corpus = make_corpus(documents=tasks // judges // systems, systems=systems)
    draft = make_campaign("likert", owner=owner, corpus=corpus, running=False, name="Large draft")
    campaign = make_campaign(
        "likert", owner=owner, corpus=corpus, annotators=tuple(people), judges=judges,
        name="Large",
    )  # fmt: skip
    submit_in_bulk(campaign, people)
    return {
        "key": campaign.key,
        "draft": draft.key,
        "submission": campaign.tasks.filter(flagged=True, state="done")
        .first()
        .submissions.get()
        .pk,
        "item": campaign.batches.first().items.first().pk,
    }


def submit_in_bulk(campaign: Any, people: list[Any]) -> None:
    """Give every batch to five people in turn, and submit three of four tasks; some are flagged."""
    from django.utils import timezone

    from gistmark.judgements import assemble
    from gistmark.web.annotate.models import Batch, Submission
    from gistmark.web.campaigns.services.corpora import corpus_of
    from gistmark.web.campaigns.services.protocols import protocol_of

    protocol, now = protocol_of(campaign), timezone.now()
    questions = corpus_of(campaign).questions
    tasks, submissions = [], []
    for place, batch in enumerate(Batch.objects.filter(campaign=campaign)):
        items = {item.id: item for item in batch.read_items()}
        for copy, task in enumerate(batch.tasks.select_related("batch").order_by("pk")):
            number = place * 5 + copy
            user = people[number % len(people)]
            slot = task.as_slot()
            slot = type(slot)(slot.id, slot.batch, tuple(items))
            content = assemble(
                slot, user.username, items, protocol, seed=campaign.seed, questions=questions
            )
            task.annotator, task.content = user, content.to_mapping()
            task.opened_at = task.claimed_at = now - timedelta(minutes=number % 999)
            task.state = "held" if number % 4 == 3 else "done"
            task.flagged = number % 20 == 0
            tasks.append(task)
            if task.state == "done":
                submissions.append(
                    Submission(
                        task=task,
                        annotator=user,
                        key=uuid4(),
                        number=1,
                        verdict="counts",
                        seconds=30 + number % 90,
                        answer=answer_to(content, protocol, number),
                        flags=[{"kind": "too_fast", "reason": "Fast.", "severity": "flag"}]
                        if task.flagged
                        else [],
                    )
                )
        if len(tasks) >= CHUNK:
            store(tasks, submissions)
    store(tasks, submissions)
    Batch.objects.filter(campaign=campaign).update(open=0)


def store(tasks: list[Any], submissions: list[Any]) -> None:
    """Write the rows that were collected so far, and drop them."""
    from gistmark.web.annotate.models import Submission, Task

    names = ["annotator", "content", "opened_at", "claimed_at", "state", "flagged"]
    Task.objects.bulk_update(tasks, names, batch_size=500)
    Submission.objects.bulk_create(submissions, batch_size=500)
    tasks.clear()
    submissions.clear()


def answer_to(content: Any, protocol: Any, number: int) -> dict[str, Any]:
    ratings = {
        each.name: {"value": 1 + (number * 7 + place) % 5, "confidence": 3, "weight": 3}
        for place, each in enumerate(protocol.dimensions)
    }
    return {"items": {entry.key: {"ratings": ratings} for entry in content.entries}}


def measure(keys: dict[str, Any]) -> None:
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(SERVER_NAME="localhost")
    client.force_login(get_user_model().objects.get(username="owner"))
    print(f"{'page':26} {'seconds':>8} {'of CPU':>8} {'queries':>8} {'kB':>7}")
    for name, path in PAGES:
        address = path.format(**keys)
        if "known" in name:
            wait_for_statistics(keys["key"])
        seconds, processor = [], []
        for _ in range(1 if "first" in name else 4):
            began, busy = time.perf_counter(), time.process_time()
            response = client.get(address)
            seconds.append(time.perf_counter() - began)
            processor.append(time.process_time() - busy)
        assert response.status_code == 200, (name, response.status_code)
        with CaptureQueriesContext(connection) as counted:
            client.get(address)
        size = len(response.content) / 1024
        took, worked = statistics.median(seconds[-3:]), statistics.median(processor[-3:])
        print(f"{name:26} {took:8.3f} {worked:8.3f} {len(counted):8} {size:7.0f}")


def wait_for_statistics(key: str) -> None:
    """Wait, because the page that first asks for statistics may return before they are computed."""
    from gistmark.web.campaigns.models import Campaign
    from gistmark.web.results.statistics.study import statistics_of

    statistics_of(Campaign.objects.get(key=key))


def decide(key: str) -> None:
    """Reject all work at once, and undo it."""
    from gistmark.web.annotate.services.decisions import decide_many, undo
    from gistmark.web.campaigns.models import Campaign
    from gistmark.web.results.review import WorkFilter, submissions_of

    campaign = Campaign.objects.get(key=key)
    numbers = list(submissions_of(campaign, WorkFilter()).values_list("pk", flat=True))
    began = time.perf_counter()
    many = decide_many(campaign, numbers, campaign.owner, "rejected", "All of it.")
    between = time.perf_counter()
    assert many.group is not None
    undo(campaign, many.group.pk, campaign.owner)
    ended = time.perf_counter()
    print(f"{len(numbers)} rejected in {between - began:.2f} s, undone in {ended - between:.2f} s")


if __name__ == "__main__":
    main()
