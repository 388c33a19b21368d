"""Artefacts are told from ordinary sentences with the same words."""

from __future__ import annotations

import time

import pytest

from gistmark.corpus import load, sample_folder
from gistmark.summarizers.artefacts import is_artefact
from gistmark.text import sentences

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


@pytest.mark.parametrize("unit", ["a", "a-", "a.", "@", "a@", " | a", "1", "\u0301"])
def test_long_lines_take_no_long_time(unit: str) -> None:
    started = time.process_time()
    is_artefact(unit * (1_000_000 // len(unit)))
    assert time.process_time() - started < 5
