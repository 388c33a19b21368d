"""Many people from a CSV file: all of them or none, and every problem told at once."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from gistmark.errors import CorpusError
from gistmark.web.accounts.imports import MOST_PEOPLE, import_people
from gistmark.web.accounts.models import Link, User
from gistmark.web.accounts.sign_in.credentials import read_link
from web.factories import PASSWORD, make_user


def bring(text: str | bytes):
    data = text.encode() if isinstance(text, str) else text
    return import_people(data, by=None, file="class.csv")


def problems(text: str | bytes) -> list[str]:
    with pytest.raises(CorpusError) as caught:
        bring(text)
    return [str(problem) for problem in caught.value.problems]


def test_people_are_made_with_roles_passwords_and_links(db):
    ada, bob, eve = bring(f"name,role,password\nada,manager,\nbob,,{PASSWORD}\neve,Admin,\n")
    assert [each.user.role for each in (ada, bob, eve)] == ["manager", "annotator", "admin"]
    assert bob.secret is None
    assert bob.user.check_password(PASSWORD)
    assert read_link(ada.secret, Link.Kind.PASSWORD).user == ada.user


def test_a_list_of_names_is_enough(db):
    bring("\ufeffName\r\nada\r\n\r\nbob\r\n")
    assert sorted(User.objects.values_list("username", flat=True)) == ["ada", "bob"]


def test_all_problems_are_told_at_once_and_nobody_is_added(db):
    make_user(name="taken")
    text = "name,role,password\nTAKEN,,\nada,chief,\nbob,,123\nli su,,\neve,,\nEve,,\n"
    result = problems(text)
    assert [line.split(": ")[0] for line in result] == [f"class.csv:{n}" for n in (2, 3, 4, 5, 7)]
    expected = ("is taken", "no role 'chief'", "too short", "not a valid name", "is taken")
    for line, what in zip(result, expected, strict=True):
        assert what in line
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "must name the columns"),
        ("role\nmanager\n", "must name the columns"),
        ("name,mail\nada,x\n", "must name the columns"),
        ("name,name\nada,x\n", "must name the columns"),
        ("name\n", "has 0 people"),
        ("name\n" + "x\n" * (MOST_PEOPLE + 1), f"1 to {MOST_PEOPLE} are allowed"),
        ("name,role\nada\n", "class.csv:2: The line has 1 cells, the first line 2"),
        ('name\n"ada\n', "This is not CSV"),
        (b"name\n\xff\n", "not UTF-8 at byte 5"),
    ],
)
def test_what_is_wrong_with_the_file_itself_is_told(db, text: str | bytes, what: str):
    (result,) = problems(text)
    assert what in result


class AnyFile(TestCase):
    """Whatever the file holds, people are made or problems are told."""

    @settings(suppress_health_check=list(HealthCheck))
    @given(st.binary(max_size=60) | st.text('name,role\n"\r;xä\0 ', max_size=60).map(str.encode))
    def test_any_file_is_imported_or_refused(self, data: bytes):
        before = User.objects.count()
        try:
            made = import_people(b"name,role\n" + data, by=None, file="any.csv")
        except CorpusError:
            made = ()
        assert User.objects.count() == before + len(made)


def test_the_number_of_queries_to_check_a_file_does_not_grow(db, django_assert_num_queries):
    for rows in (5, 50):
        text = "name,role\n" + "".join(f"p{n},chief\n" for n in range(rows))
        with django_assert_num_queries(1):
            assert len(problems(text)) == rows
