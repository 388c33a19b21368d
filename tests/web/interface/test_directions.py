"""Every text of a corpus or of a person runs in its own direction, on managers' pages too."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from uuid import uuid4

import pytest
from django.test import Client

from gistmark.corpus import Corpus
from gistmark.judgements.tasks.slots import SUBMITTED
from gistmark.records import Document, Planted, Question, Summary
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.comments import add_comment
from web.annotate.answering import done
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db

ARABIC = re.compile(r"[\u0600-\u06ff]")
VOID = {"br", "col", "hr", "img", "input", "link", "meta", "wbr"}
NO_ELEMENTS = {"title", "option", "script", "style"}
"""What cannot have elements inside, or is not shown."""


class Directions(HTMLParser):
    """The Arabic texts of a page that stand in no element with a direction of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.without: list[str] = []
        self.seen = 0
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if tag not in VOID:
            self.open.append((tag, tag == "bdi" or (tag != "html" and "dir" in given)))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not ARABIC.search(data) or any(tag in NO_ELEMENTS for tag, _ in self.open):
            return
        self.seen += 1
        if not any(own for _, own in self.open):
            self.without.append(data.strip())


def corpus() -> Corpus:
    text = "افتتح العمال جسرا جديدا فوق النهر. سيخفف الجسر الزحام عن وسط المدينة كثيرا."
    names = ("وثيقة أولى", "وثيقة ثانية")
    return Corpus(
        documents=tuple(Document(name, (text,), title="جسر جديد", lang="ar") for name in names),
        summaries=tuple(
            Summary(name, system, f"ملخص {system}")
            for name in names
            for system in ("نظام أول", "نظام ثان")
        ),
        questions=tuple(Question(name, "افتُتح الجسر.", answer=True) for name in names),
        planted=tuple(Planted("جيد", "متوسط", "رديء", document=name) for name in names),
    )


def kind(address: str) -> str:
    """What pages have in common that differ in a number or in what was asked."""
    path, _, asked = address.partition("?")
    return re.sub(r"/\d+/", "/0/", path) + "&".join(sorted(re.findall(r"(\w+)=", asked)))


@pytest.mark.parametrize(("protocol", "reply"), [("overall", None), ("content-document", True)])
def test_every_arabic_text_on_the_managers_pages_has_a_direction_of_its_own(protocol, reply):
    admin = make_user("admin", name="مدير")
    people = (make_user(name="سارة"), make_user(name="عمر"))
    campaign = make_campaign(
        protocol, owner=admin, name="دراسة الجسر", corpus=corpus(), annotators=people, judges=2
    )
    for person in people:
        done(campaign, person, reply=reply)
    task = Task.objects.filter(campaign=campaign, state__in=SUBMITTED).first()
    assert task is not None
    assert task.annotator is not None
    add_comment(task, task.annotator, uuid4(), text="السؤال غامض", item="1", kind="problem")
    client = Client()
    client.force_login(admin)
    waiting = [f"/campaigns/{campaign.key}/", "/campaigns/", "/people/"]
    kinds = {kind(address) for address in waiting}
    without, seen = {}, 0
    while waiting:
        address = waiting.pop(0)
        page = client.get(address)
        if page.status_code != 200 or "html" not in page.headers["Content-Type"]:
            continue
        reader = Directions()
        reader.feed(page.text)
        seen += reader.seen
        without[address] = reader.without
        base = address.partition("?")[0]
        links = (f"{base}{link}" if link.startswith("?") else link for link in reader.links)
        for link in links:
            if link.startswith(("/campaigns/", "/people/")) and kind(link) not in kinds:
                kinds.add(kind(link))
                waiting.append(link)
    assert len(without) > 10
    assert seen > 50
    assert {address: texts for address, texts in without.items() if texts} == {}
