"""`gistmark campaign combine`: campaigns of the platform and exported folders as one corpus."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gistmark.corpus import load, save
from gistmark.web.campaigns.services.consents import give_consent
from web.factories import make_campaign, make_corpus, make_user
from web.results.working import work_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaigns(db):
    """Two campaigns on the same texts; one person works in both."""
    both, only_second = make_user(), make_user()
    made = []
    for name, people in (("Document", (both,)), ("Reference", (only_second, both))):
        campaign = make_campaign(name=name, annotators=people, judges=len(people))
        for person in people:
            give_consent(campaign, person)
            while work_on(campaign, person) is not None:
                pass
        made.append(campaign)
    return made


def test_campaigns_of_the_platform_become_one_corpus(run, campaigns, tmp_path: Path):
    target = tmp_path / "both"
    done = run("campaign", "combine", "Document", campaigns[1].key, "-o", target)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"Combined 2 campaigns into {target}: ")
    corpus = load(target)
    people = {
        name: {r.annotator for r in corpus.ratings if r.campaign == name}
        for name in ("Document", "Reference")
    }
    assert people["Document"] < people["Reference"], "who worked in both has one pseudonym"
    assert [len(names) for names in people.values()] == [1, 2]
    assert [condition.campaign for condition in corpus.conditions] == ["Document", "Reference"]
    assert all(condition.protocol == "overall" for condition in corpus.conditions)


def test_an_exported_folder_is_combined_with_a_campaign(run, campaigns, tmp_path: Path):
    folder = tmp_path / "old"
    run("campaign", "export", "Document", folder)
    target = tmp_path / "both"
    options = ("--separate-annotators", "--json")
    done = run("campaign", "combine", folder, "Reference", "-o", target, *options)
    report = json.loads(done.out)
    assert report["counts"]["conditions"] == 2
    assert report["notes"] == []
    names = {rating.annotator for rating in load(target).ratings}
    assert sorted(name.partition(" ")[2] for name in names) == ["(Reference)"] * 2 + ["(old)"]
    again = run("campaign", "combine", folder, "Reference", "-o", target)
    assert (again.status, "--force replaces it" in again.err) == (2, True)
    forced = run("campaign", "combine", folder, "Reference", "-o", target, "--force")
    assert "note: Annotators of the same name" in forced.err


def test_bad_requests_are_refused_in_a_sentence(run, campaigns, tmp_path: Path):
    target = tmp_path / "both"
    alone = run("campaign", "combine", "Document", "-o", target)
    assert (alone.status, "name two campaigns or more" in alone.err) == (2, True)
    unknown = run("campaign", "combine", "Document", "Nothing", "-o", target)
    assert unknown.status == 2
    assert "no campaign with the key or name 'Nothing'" in unknown.err
    other = make_corpus()
    changed = replace(other.documents[0], texts=("Quite another text.",))
    save(replace(other, documents=(changed, *other.documents[1:])), tmp_path / "else")
    differing = run("campaign", "combine", "Document", tmp_path / "else", "-o", target)
    assert differing.status == 1
    assert "'d1' is not the same in the campaigns 'Document' and 'else'" in differing.err
    assert not target.exists()
