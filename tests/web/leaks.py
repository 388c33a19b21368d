"""Opens every address of the platform with every method, and searches what it answers.

What must not be found: names of systems and documents, planted kinds, right answers, and
completion codes before their time or of other people's tasks.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from gistmark.web.annotate.codes import completion_code
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.codes import plain
from gistmark.web.crowd.models import Participant, Recruitment, Visit
from gistmark.web.crowd.recruitments import create_recruitment
from gistmark.web.crowd.settings import RecruitmentSettings
from gistmark.web.qualification.models import PracticeAnswer
from gistmark.web.results.exports import Choices, request_export
from gistmark.web.results.models import Export
from web.api.calling import Caller
from web.factories import make_corpus, make_user

SYSTEMS = {"gold": "zebrafinch-ref", "sys1": "quokka-sum", "sys2": "narwhal-sum"}
KEYS = {
    "planted",
    "seed",
    "checks",
    "systems",
    "system",
    "content",
    "code",
    "accepted",
    "verdict",
    "flags",
}
"""Names of JSON fields that an annotator's responses never have."""
OTHERS_WORDS = "walrus-remark"
"""What a colleague said in a comment."""
OF_A_MARKET = "WOMBAT"
"""What the codes of a study and the ids of its participants have in them."""
WORDS = (
    "mediocre", "planted", '"expected"', OTHERS_WORDS, OF_A_MARKET, *SYSTEMS.values(),
    "doc-okapi-1", "doc-okapi-2",
)  # fmt: skip
DESCRIBES_THE_API = ("/api/openapi.json", "/api/docs")
"""Addresses that tell which fields there are, and nothing that is in them."""
ENDS_THE_WORK = ("/log-out/", "/release/", "/release", "/sessions/", "/end/", "/revoke/")
"""Addresses that only redirect, and take the task, the session or the token away."""


EVERY = re.compile("")
OPEN_TO_ANNOTATORS = re.compile(
    r"^/$|^/(account|work|tasks|practice|join|health|language|log-in|set-up)/"
    r"|^/api/(account/data|tasks|practice|campaigns$)"
    r"|^/api/campaigns/\w+/(admission|comprehension|consent|next|practice/next)$"
)
"""All that ever answers them; the other addresses refuse, whatever the protocol asks."""


def make_secretive_corpus():
    """A corpus whose names occur nowhere else; texts do not give them away."""
    corpus = make_corpus()
    ids = {
        each.id: f"doc-okapi-{position}" for position, each in enumerate(corpus.documents, start=1)
    }
    return replace(
        corpus,
        documents=tuple(replace(each, id=ids[each.id]) for each in corpus.documents),
        summaries=tuple(
            replace(
                each,
                document=ids[each.document],
                system=SYSTEMS[each.system],
                text=f"Short text {position} of {each.document}.",
            )
            for position, each in enumerate(corpus.summaries)
        ),
        questions=tuple(replace(each, document=ids[each.document]) for each in corpus.questions),
        planted=tuple(
            replace(
                each,
                document=ids[each.document],
                good=f"First {each.document}.",
                mediocre=f"Second {each.document}.",
                bad=f"Third {each.document}.",
            )
            for each in corpus.planted
        ),
    )


def recruit(campaign: Campaign) -> None:
    """A study on a market with somebody in it who is not the one who looks."""
    settings = RecruitmentSettings(reward=150)
    study = create_recruitment(campaign, market="prolific", settings=settings, by=None)
    study.codes = {name: f"{OF_A_MARKET}{number}" for number, name in enumerate(study.codes)}
    study.study = f"{OF_A_MARKET}-study"
    study.save()
    participant = Participant.objects.create(
        market="prolific", pid=f"{OF_A_MARKET}-pid", user=make_user()
    )
    Visit.objects.create(
        recruitment=study, participant=participant, session=f"{OF_A_MARKET}-session"
    )


def addresses(campaign: Campaign, secret: str) -> list[str]:
    """Every address of the platform, filled with what exists in the campaign."""
    if not Export.objects.filter(campaign=campaign).exists():
        request_export(campaign, "folder", Choices(names=True), wait=0)
    result = []
    known, numbers = _choices(campaign, secret)
    for route, arguments in _routes(get_resolver()):
        for values in itertools.product(*(known.get(name, numbers) for name in arguments)):
            address = route
            for name, value in zip(arguments, values, strict=True):
                address = address.replace(f"<{name}>", str(value))
            result.append(f"/{address}")
    left_out = (*ENDS_THE_WORK, *DESCRIBES_THE_API)
    return [address for address in dict.fromkeys(result) if not address.endswith(left_out)]


def _routes(resolver: URLResolver, before: str = "") -> list[tuple[str, list[str]]]:
    result = []
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            names = list(each.pattern.converters)
            route = before + str(each.pattern)
            for name in names:
                start, end = route.split(f"{name}>", 1)
                route = start[: start.rindex("<")] + f"<{name}>" + end
            result.append((route, names))
        else:
            result += _routes(each, before + str(each.pattern))
    return result


def _choices(campaign: Campaign, secret: str) -> tuple[dict[str, list[Any]], list[int]]:
    """What stands for the arguments of addresses by their names, and for all other ones."""
    tasks = Task.objects.filter(annotator__isnull=False).values_list("pk", flat=True)
    submissions = Submission.objects.values_list("pk", flat=True)
    practice = PracticeAnswer.objects.values_list("pk", flat=True)
    exports = Export.objects.values_list("pk", flat=True)
    known = {
        "key": [campaign.key],
        "secret": [secret],
        "place": [0],
        "format": ["folder", "csv"],
        "kind": ["questions"],
        "number": [1],
        "study": list(Recruitment.objects.values_list("key", flat=True)) or ["0" * 10],
    }
    return known, sorted({*tasks[:2], *submissions[:1], *practice[:2], *exports} or {1})


def responses(
    campaign: Campaign, secret: str, client, caller: Caller, wanted: re.Pattern[str] = EVERY
):
    """What every wanted address answers to every method, on the pages and through the API."""
    for address in filter(wanted.search, addresses(campaign, secret)):
        is_call = address.startswith("/api/")
        sender, headers = (caller.client, caller.headers) if is_call else (client, {})
        # Only the API knows PUT; that pages refuse it is tested where each page is.
        for method in ("GET", "POST", "PUT") if is_call else ("GET", "POST"):
            response = sender.generic(method, address, b"{}", "application/json", headers=headers)
            yield f"{method} {address}", response


def body_of(response) -> str:
    content = b"".join(response) if response.streaming else response.content
    return content.decode("utf-8", errors="replace")


def codes_of(**wanted: Any) -> set[str]:
    """The completion codes of some tasks."""
    tasks = Task.objects.filter(**wanted).select_related("campaign")
    return {completion_code(task.pk, task.campaign) for task in tasks}


def codes_in(body: str, codes: Collection[str]) -> set[str]:
    """Which of these completion codes are in a text, with hyphens or without."""
    text = body.upper()
    return {code for code in codes if code in text or plain(code) in text}


def assert_nothing_leaks(
    campaign: Campaign,
    secret: str,
    client,
    caller: Caller,
    own: Collection[str] = (),
    wanted: re.Pattern[str] = EVERY,
) -> set[str]:
    """Search every response; the completion codes that were found are among one's `own`."""
    count, seen, codes = 0, set(), codes_of()
    for what, response in responses(campaign, secret, client, caller, wanted):
        body = body_of(response)
        count += bool(body)
        assert response.status_code < 500, what
        assert response.status_code != 401 or "Authorization" not in caller.headers, what
        answered = response.status_code < 300
        assert not answered or OPEN_TO_ANNOTATORS.search(what.partition(" ")[2]), what
        result = codes_in(body, codes)
        assert result <= set(own), what
        seen |= result
        assert not [word for word in WORDS if word in body], what
        if body and "json" in response.headers.get("Content-Type", ""):
            assert not KEYS & set(field_names(json.loads(body))), what
            assert not _tells_the_answer(json.loads(body)), what
    assert count > (100 if wanted is EVERY else 20)
    return seen


def field_names(value: Any) -> list[str]:
    """All names of fields in a JSON value."""
    if isinstance(value, dict):
        return [*value, *(name for each in value.values() for name in field_names(each))]
    return [name for each in value for name in field_names(each)] if isinstance(value, list) else []


def _tells_the_answer(value: Any) -> bool:
    """A statement may be shown as text; an object beside it could say whether it is true."""
    return isinstance(value, dict) and not isinstance(value.get("question"), str | None)
