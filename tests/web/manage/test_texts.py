"""How managers' pages show texts: in the direction of their language, and as they were written."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.urls import reverse

from gistmark.records import Document, Highlight, Question, Summary
from web.factories import make_campaign, make_corpus

pytestmark = pytest.mark.django_db

ARABIC = "أغلق الجسر يوم الثلاثاء. وجد رسام شرخا."
TOKENISED = "`` He 's back , '' she said -lrb- today -rrb- ."
WRITTEN = '"He\'s back," she said (today).'
BEFORE_ARABIC = re.compile(r"<(\w+[^>]*)>[^<]*أغلق الجسر")


def campaign_of(text: str, **changes):
    corpus = make_corpus(documents=1)
    return make_campaign(
        "content-highlight",
        corpus=replace(
            corpus,
            documents=(Document("d1", (text,), title=text, lang="ar"),),
            summaries=(Summary("d1", "sys1", text), Summary("d1", "gold", text, reference=True)),
            questions=(Question("d1", text, answer=True),),
            highlights=(Highlight("d1", "reader", 3, 8),),
            planted=(),
        ),
        running=False,
        **changes,
    )


def shown(log_in, campaign, name: str, *more) -> str:
    response = log_in(campaign.owner).get(reverse(name, args=[campaign.key, *more]))
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize(
    ("name", "more"), [("campaign-document", (0,)), ("campaign-checks", ())]
)  # fmt: skip
def test_arabic_texts_stand_from_right_to_left(log_in, name, more):
    html = shown(log_in, campaign_of(ARABIC), name, *more)
    body = html[html.index("<main") :]
    openings = BEFORE_ARABIC.findall(re.sub(r"</?(?:p|mark)(?: class=.heat[^>]*)?>", "", body))
    visible = [opening for opening in openings if "visually-hidden" not in opening]
    assert visible
    assert [opening for opening in visible if 'dir="auto"' not in opening] == []


def test_a_tokenised_document_is_shown_as_it_was_written_with_its_heat(log_in):
    html = shown(log_in, campaign_of(TOKENISED), "campaign-document", 0)
    text = re.sub(r"<[^>]+>", "", html).replace("&#x27;", "'").replace("&quot;", '"')
    assert WRITTEN in text
    assert "-lrb-" not in html
    assert re.search(r'<mark class="heat-5" title="1">He&#x27;s</mark>', html)


def test_the_text_beside_a_statement_is_shown_as_it_was_written(log_in):
    html = shown(log_in, campaign_of(TOKENISED), "campaign-checks")
    beside = html[html.index('class="beside"') :].replace("&#x27;", "'").replace("&quot;", '"')
    assert WRITTEN in beside
