"""MMR on examples worked by hand, and the artefacts that MMR* passes over."""

from __future__ import annotations

import pytest

from gistmark.corpus import load, sample_folder
from gistmark.errors import UsageError
from gistmark.records import Document
from gistmark.summarizers import Limit, Outcome, Source, system_from
from gistmark.summarizers.extractive.mmr import is_artefact
from gistmark.text import sentences

MAT, RED, RAIN = "A cat sat on a mat.", "A cat sat on a red mat.", "It rained."
TEXT = f"{MAT} {RED} {RAIN}"


def summary(spec: str, *texts: str, **limit: int | None) -> Outcome:
    source = Source(Document("d", texts))
    return system_from(spec).summarize(source, Limit(**{"chars": None, **limit}))


@pytest.mark.parametrize(
    ("balance", "second"),
    [
        # mat 0.5 * 5/8 - 0.5 * 5/6 = -0.104; rain 0.5 * 2/8 = 0.125
        (0.5, RAIN),
        # mat 0.9 * 5/8 - 0.1 * 5/6 = 0.479; rain 0.9 * 2/8 = 0.225
        (0.9, MAT),
        (1, MAT),
    ],
)
def test_the_balance_weighs_relevance_against_novelty(balance: float, second: str) -> None:
    result = summary(f"MMR:balance={balance}", TEXT, sentences=2)
    assert {sentence.text for sentence in result.sentences} == {RED, second}


def test_the_first_sentence_is_the_one_most_like_the_source() -> None:
    assert summary("MMR", TEXT, sentences=1).text == RED


def test_the_summary_is_in_the_documents_order() -> None:
    assert summary("MMR:balance=1", TEXT, sentences=2).text == f"{MAT} {RED}"


def test_of_equals_the_first_is_taken() -> None:
    assert summary("MMR", "Ann ran. Bob sat. Cid ate.", sentences=1).text == "Ann ran."
    assert summary("MMR:balance=0", "Ann ran. Bob sat. Cid ate.", sentences=2).text == (
        "Ann ran. Bob sat."
    )


def test_one_that_no_longer_fits_is_passed_over() -> None:
    assert summary("MMR", TEXT, chars=len(RED) + 1 + len(RAIN)).text == f"{RED} {RAIN}"
    assert summary("MMR:balance=1", TEXT, chars=len(RED) + 1 + len(RAIN)).text == f"{RED} {RAIN}"


def test_all_texts_are_the_source() -> None:
    result = summary("MMR", MAT, f"{RED} {RAIN}", sentences=2)
    assert [sentence.source for sentence in result.sentences] == [1, 1]


def test_the_star_passes_over_artefacts() -> None:
    artefact = "Copyright 2019 Example Press and all its friends, all rights reserved."
    assert summary("MMR", f"{TEXT} {artefact}", sentences=1).text == artefact
    assert summary("MMR*", f"{TEXT} {artefact}", sentences=1).text == RED


def test_the_star_rather_cuts_a_sentence_than_takes_an_artefact() -> None:
    result = summary("MMR*", f"Advertisement. {MAT}", chars=15)
    assert result.text == "A cat sat on a"


def test_where_all_are_artefacts_the_star_takes_them_and_says_so() -> None:
    result = summary("MMR*", "Skip to content. Advertisement.", sentences=2)
    assert result.text == "Skip to content. Advertisement."
    assert result.note == "every sentence looks like an artefact of a page, so none is passed over"
    assert summary("MMR*", TEXT, sentences=1).note is None


def test_a_balance_above_1_is_refused() -> None:
    with pytest.raises(UsageError, match="MMR:balance: 2 is not a number from 0 to 1"):
        system_from("MMR:balance=2")


ARTEFACTS = [
    "Copyright 2019 The Example Times.",
    "Copyright © 2019 Example Ltd",
    "© Example Media Group",
    "(c) 2008 Example",
    "Example Press © 2016.",
    "Example Newspapers Limited, all rights reserved.",
    "This material may not be published, broadcast, rewritten or redistributed.",
    "We use cookies to improve your visit.",
    "This website uses cookies.",
    "Accept all cookies",
    "Please enable JavaScript in your browser.",
    "By continuing to use this site you agree to our terms.",
    "Subscribe",
    "Subscribe to our newsletter!",
    "Sign up for our daily e-mail.",
    "Please log in to comment.",
    "Click here to read more.",
    "For the full list, click here.",
    "Share this article",
    "Share on Facebook",
    "Like us on Facebook",
    "Follow us",
    "Get the latest news in your inbox.",
    "Leave a comment",
    "Skip to main content",
    "Back to top",
    "Read more",
    "See all comments",
    "Related stories",
    "You may also like",
    "12 comments",
    "Home > News > Education",
    "Home | About us | Contact | Jobs",
    "Privacy Policy",
    "Terms of use and privacy policy",
    "Next page",
    "Image copyright Getty Images",
    "Photo: Jane Doe/Example",
    "Photo by Jane Doe",
    "Getty Images",
    "Advertisement",
    "Story continues below",
    "Continue reading below",
    "Last updated 4 May 2019 at 10:30 GMT",
    "Last updated: Monday, 4 May 2019",
    "Posted by Jane Doe on 4 May 2019",
    "4 May 2019",
    "10:30 am",
    "http://example.org/story.html",
    "More information: www.example.com/help",
    "jane@example.org",
    "* * *",
    "12 | 14.05.2019 | 3",
    "👍 👍",
    "",
]

SENTENCES = [
    "The court ruled that copyright belongs to the author.",
    "Copyright law protects authors for 70 years.",
    "In 2019 copyright was extended to maps.",
    'The words "all rights reserved" are no longer needed.',
    "The results may not be reproduced or trusted, critics say.",
    "She baked cookies for the whole school.",
    "The firm was fined because its website used cookies without consent.",
    "Regulators want sites to ask before they use cookies.",
    "Critics attacked its privacy policy.",
    "The new terms of use anger customers.",
    "Voters must register to take part by Friday.",
    "Register to vote by Friday, officials urged.",
    "Subscribers left the service in droves.",
    "Share prices fell on Monday.",
    "Like this one, many bridges are old.",
    "Police search home of the suspect.",
    "The photo was taken by a neighbour.",
    "Photographs by Ansel Adams were sold for a record sum on Tuesday.",
    "The advertisement was banned.",
    "Published in 1925, the novel flopped.",
    "Updated figures show growth of 5 per cent.",
    "The page www.example.com was down for three hours on Monday.",
    "The score was 3-2, 4-6, 6-1, 7-6 (7-5).",
    "More news is expected on Friday.",
    "He read more than anyone in his class.",
    "It rained.",
    "No.",
    "May resigned.",
    "橋に亀裂が見つかり、閉鎖された。",
    "दरार के कारण पुल बंद है।",
    "الجسر مغلق.",
]


@pytest.mark.parametrize("text", ARTEFACTS)
def test_an_artefact_is_found(text: str) -> None:
    assert is_artefact(text)


@pytest.mark.parametrize("text", SENTENCES)
def test_an_ordinary_sentence_passes(text: str) -> None:
    assert not is_artefact(text)


def test_the_sample_has_no_artefacts() -> None:
    texts = [text for document in load(sample_folder()).documents for text in document.texts]
    assert [each for text in texts for each in sentences(text) if is_artefact(each)] == []


@pytest.mark.parametrize(
    ("unit", "artefact"),
    [("a", False), ("a-", False), ("a.", False), ("@", True), ("a@", False), (" | a", True),
     ("1", True), ("\u0301", False)],
)  # fmt: skip
def test_a_line_of_a_million_characters_is_judged(unit: str, artefact: bool) -> None:
    assert is_artefact(unit * (1_000_000 // len(unit))) is artefact
