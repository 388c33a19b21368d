"""Submissions per second of the platform, against a bare Django view that inserts one row.

Two workers of gunicorn on PostgreSQL, eight clients at a time, each with a token. Both sides run in
turns, with the same settings, middleware, tokens and bodies. A submission is checked against its
task, judged by the sanity checks, and stored with its task and an event in one transaction. Every
submission that was acknowledged is looked up afterwards.

GISTMARK_TEST_DATABASE names the PostgreSQL server; a database of its own is made and dropped.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

from harness import report

SERVER = os.environ.get("GISTMARK_TEST_DATABASE") or "postgres://root@127.0.0.1:5432/test"
CLIENTS, ROUNDS, EACH = 8, 3, 50
"""So many clients send so many requests each in a round; the best round counts."""
PATIENCE = 60.0


@dataclass(frozen=True)
class Sent:
    """A request: its path and its body."""

    path: str
    body: bytes


@dataclass(frozen=True)
class Person:
    """A client: a token, and for every round the requests."""

    token: str
    rounds: list[list[Sent]]


def main() -> None:
    with TemporaryDirectory() as folder, own_database() as url:
        os.environ |= {"GISTMARK_DATA": folder, "DATABASE_URL": url}
        campaign, people = prepare()
        with serving("bare_site") as peer, serving("gistmark.web.config.settings") as platform:
            rates = [
                (
                    rate(peer, campaign, people, number, bare=True),
                    rate(platform, campaign, people, number, bare=False),
                )
                for number in range(ROUNDS)
            ]
        bare, ours = map(max, zip(*rates, strict=True))
        stored = count_stored()
        if stored != CLIENTS * ROUNDS * EACH:
            raise SystemExit(f"{stored} submissions are stored, not {CLIENTS * ROUNDS * EACH}")
    print(f"      {ours:.0f} submissions and {bare:.0f} bare insertions per second")
    report(
        "Submissions per second over a bare insertion", ours / bare, ">= 0.4", ours / bare >= 0.4
    )


@contextmanager
def own_database() -> Iterator[str]:
    import psycopg

    name = f"gistmark_bench_{uuid4().hex[:12]}"
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlunsplit(urlsplit(SERVER)._replace(path=f"/{name}"))
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def prepare() -> tuple[int, list[Person]]:
    """A campaign in which every client has opened a task for each of its requests."""
    from gistmark.web.config.start import start

    start()
    from django.db import connections

    from gistmark.judgements import configured, get_protocol
    from gistmark.web.accounts.people import create_user
    from gistmark.web.annotate.services.claims import allocate
    from gistmark.web.annotate.services.launch import start as start_campaign
    from gistmark.web.campaigns.services import campaigns, consents, members

    owner = create_user("owner", role="admin")
    users = [create_user(f"client{number}") for number in range(CLIENTS)]
    protocol = configured(get_protocol("quality"), {"judges": 2})
    campaign = campaigns.create_campaign(
        owner=owner, name="Bench", protocol=protocol, corpus=make_corpus()
    )
    for user in users:
        members.add_member(campaign, user)
        consents.give_consent(campaign, user)
    start_campaign(campaign, owner)
    allocate(campaign, users, owner)
    people = [make_person(user) for user in users]
    connections.close_all()
    return campaign.pk, people


def make_corpus():
    from gistmark.corpus import Corpus
    from gistmark.records import Document, Summary
    from texts import texts

    count = CLIENTS * ROUNDS * EACH // 2
    bodies = texts(count, 200, seed=1)
    return Corpus(
        documents=tuple(
            Document(f"d{number}", (body,), title=f"Title {number}")
            for number, body in enumerate(bodies)
        ),
        summaries=tuple(
            Summary(f"d{number}", system, body[:200], reference=system == "gold")
            for number, body in enumerate(bodies)
            for system in ("gold", "candidate")
        ),
    )


def make_person(user) -> Person:
    from gistmark.web.accounts.sign_in.credentials import make_token
    from gistmark.web.annotate.models import Task
    from gistmark.web.annotate.services.drafts import browser_payload

    tasks = list(Task.objects.filter(annotator=user).order_by("pk"))
    assert len(tasks) == ROUNDS * EACH, "the allocation is even"
    sent = [request_for(browser_payload(task)) for task in tasks]
    rounds = [sent[start : start + EACH] for start in range(0, len(sent), EACH)]
    return Person(make_token(user, "bench").secret, rounds)


def request_for(payload: dict) -> Sent:
    ratings = {
        each["name"]: {"value": 1 + place % 5} for place, each in enumerate(payload["dimensions"])
    }
    items = {item["key"]: {"ratings": ratings, "seconds": 30.0} for item in payload["items"]}
    body = {"key": str(uuid4()), "answer": {"items": items, "seconds": 30.0}}
    return Sent(f"/api/tasks/{payload['task']}/submit", json.dumps(body).encode())


@contextmanager
def serving(settings: str) -> Iterator[int]:
    """gunicorn as `gistmark serve` runs it, with these settings."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gistmark", "serve", "--port", str(port), "--workers", "2"]
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": settings,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path[1:]]),
    }
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        wait_for(port)
        yield port
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=PATIENCE)


def wait_for(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/health/")
            connection.getresponse()
            return
        except (OSError, HTTPException):
            time.sleep(0.1)
        finally:
            connection.close()
    raise SystemExit("the server does not start")


def rate(port: int, campaign: int, people: list[Person], number: int, *, bare: bool) -> float:
    """Requests per second of one round."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        started = time.perf_counter()
        for _ in pool.map(lambda person: send(port, campaign, person, number, bare), people):
            pass
        return CLIENTS * EACH / (time.perf_counter() - started)


def send(port: int, campaign: int, person: Person, number: int, bare: bool) -> None:
    """Send one client's requests of a round, one after the other over one connection."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    headers = {
        "Authorization": f"Bearer {person.token}",
        "Content-Type": "application/json",
        "X-Campaign": str(campaign),
    }
    for request in person.rounds[number]:
        connection.request("POST", "/insert" if bare else request.path, request.body, headers)
        response = connection.getresponse()
        said = response.read()
        if response.status != 200:
            raise SystemExit(f"{response.status}: {said!r}")
    connection.close()


def count_stored() -> int:
    from gistmark.web.annotate.models import Submission

    return Submission.objects.filter(current=True).count()


if __name__ == "__main__":
    main()
