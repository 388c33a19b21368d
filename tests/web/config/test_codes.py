"""Codes that people read and type."""

from __future__ import annotations

import re

from gistmark.web.config.codes import derived_code, plain


def test_a_code_is_letters_in_groups_of_four():
    assert re.fullmatch(r"[A-Z2-7]{4}(-[A-Z2-7]{4}){2}", derived_code("a", "1", letters=12))
    assert len(plain(derived_code("a", "1", letters=16))) == 16


def test_a_code_is_of_its_purpose_its_value_and_the_secret_key(settings):
    one = derived_code("a", "1", letters=12)
    assert one == derived_code("a", "1", letters=12)
    others = {derived_code("a", "2", letters=12), derived_code("b", "1", letters=12)}
    settings.SECRET_KEY = "another" * 8
    others.add(derived_code("a", "1", letters=12))
    assert len(others | {one}) == 4


def test_a_code_is_the_same_however_it_is_typed():
    assert {plain(typed) for typed in ("K7QF-2MZD", " k7qf 2mzd\n", "k7qf–2mzd", "K7Q-F2M.ZD")} == {
        "K7QF2MZD"
    }
