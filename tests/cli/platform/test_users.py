"""`gistmark users`: everything about accounts without a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gistmark.cli.platform.users import users
from gistmark.errors import CorpusError, GistmarkError, UsageError
from gistmark.web.accounts.models import User
from web.annotate.answering import done
from web.factories import make_campaign

PASSWORD = "quiet-river-stone-41"


@pytest.fixture(autouse=True)
def database(db) -> None:
    """Every test has one of its own."""


def call(*arguments: object, **options) -> Result:
    return CliRunner().invoke(
        users, [str(each) for each in arguments], catch_exceptions=False, **options
    )


def add(name: str, role: str = "annotator") -> str:
    """Make an account and give back its drawn password."""
    done = call("add", name, "--role", role, "--generate")
    assert done.exit_code == 0
    return done.stdout.rpartition(": ")[2].strip()


def user(name: str):
    from gistmark.web.accounts.models import User

    return User.objects.get(username=name)


def test_a_drawn_password_is_printed_once_and_works():
    password = add("ada", "manager")
    assert user("ada").check_password(password)
    assert user("ada").role == "manager"
    assert password not in call("list").stdout


def test_a_password_is_asked_for_on_a_terminal(monkeypatch):
    monkeypatch.setattr("gistmark.cli.platform.users._is_terminal", lambda: True)
    done = call("add", "ada", input=f"{PASSWORD}\n{PASSWORD}\n")
    assert done.exit_code == 0
    assert PASSWORD not in done.output
    assert user("ada").check_password(PASSWORD)


def test_without_a_terminal_nothing_is_asked():
    with pytest.raises(UsageError, match="use --generate"):
        call("add", "ada", input=f"{PASSWORD}\n{PASSWORD}\n")


def test_no_option_takes_a_password():
    for name, command in users.commands.items():
        options = [option for parameter in command.params for option in parameter.opts]
        assert "--password" not in options, name


def test_everybody_is_listed():
    add("ada", "admin")
    add("bob")
    head, first, second = call("list").stdout.splitlines()
    assert head.split()[:4] == ["name", "role", "account", "campaigns"]
    assert first.split() == ["ada", "admin", "open", "0", "never"]
    assert second.split() == ["bob", "annotator", "open", "0", "never"]
    listed = json.loads(call("list", "--json").stdout)
    assert listed[1] == {
        "name": "bob", "role": "annotator", "active": True, "campaigns": 0, "last_log_in": None,
    }  # fmt: skip


def test_roles_change_and_accounts_close_and_open():
    add("ada", "admin")
    add("bob")
    assert call("role", "bob", "manager").stdout == "bob is manager.\n"
    assert call("deactivate", "bob").exit_code == 0
    assert not user("bob").is_active
    assert call("activate", "BOB").exit_code == 0
    assert user("bob").is_active
    with pytest.raises(UsageError, match="the only admin"):
        call("deactivate", "ada")


@pytest.mark.parametrize("verb", ["role eve admin", "deactivate eve", "activate eve", "reset eve"])
def test_somebody_who_is_not_there_is_told(verb: str):
    with pytest.raises(UsageError, match="no user 'eve'"):
        call(*verb.split())


def test_an_unknown_role_is_refused():
    assert call("add", "ada", "--role", "chief").exit_code == 2


def secret_of(line: str, page: str) -> str:
    result = re.fullmatch(rf"https://rate\.example\.org/{page}/([\w-]+)/", line.strip())
    assert result is not None, line
    return result[1]


def test_a_password_link_is_printed():
    from gistmark.web.accounts.sign_in.credentials import set_password_by_link

    add("ada")
    line = call("reset", "ada", "--address", "https://rate.example.org").stdout
    set_password_by_link(secret_of(line, "password"), PASSWORD)
    assert user("ada").check_password(PASSWORD)


def test_an_invitation_to_a_campaign_is_printed():
    from gistmark.web.campaigns.services.invitations import join_as_new
    from web.factories import make_campaign

    campaign = make_campaign(running=False)
    for named in (campaign.key, campaign.name):
        options = ("--uses", 2, "--days", 3, "--address", "https://rate.example.org")
        line = call("invite", "--campaign", named, *options).stdout
        join_as_new(secret_of(line, "join"), name=f"ada-{named[:4]}", password=PASSWORD)
    assert campaign.memberships.count() == 3


def test_a_wrong_invitation_is_told():
    with pytest.raises(UsageError, match="no campaign with the key or name 'x'"):
        call("invite", "--campaign", "x")
    with pytest.raises(UsageError, match="1 to 365 days"):
        call("invite", "--days", 0)
    with pytest.raises(UsageError, match="is not an address"):
        call("invite", "--address", "rate")


def test_people_are_imported_from_a_file(tmp_path: Path):
    file = tmp_path / "class.csv"
    file.write_text("name,role\nada,manager\nbob,\n")
    head, ada, bob = call("import", file).stdout.splitlines()
    assert head == "name,role,link"
    assert ada.startswith("ada,manager,http://localhost:8000/password/")
    assert bob.startswith("bob,annotator,http")


def test_an_import_as_json(tmp_path: Path):
    file = tmp_path / "class.csv"
    file.write_text(f"name,password\nada,{PASSWORD}\n")
    assert json.loads(call("import", file, "--json").stdout) == [
        {"name": "ada", "role": "annotator", "link": None}
    ]


def test_all_problems_of_a_file_are_told_with_their_lines(tmp_path: Path):
    file = tmp_path / "class.csv"
    file.write_text("name,role\nli su,\nada,chief\n")
    with pytest.raises(CorpusError, match=r"(?s)class\.csv:2: .*class\.csv:3: "):
        call("import", file)


@pytest.mark.parametrize("command", [[], *([name] for name in users.commands)])
def test_help_has_an_example_and_starts_nothing(monkeypatch, command: list[str]):
    monkeypatch.setattr("gistmark.cli.platform.server.start_platform", None)
    done = call(*command, "--help")
    assert done.exit_code == 0
    assert "Example: gistmark users" in done.stdout


def test_a_person_is_erased_after_it_was_said_what_happens(tmp_path):
    add("ada", "admin")
    add("bob")
    said = call("erase", "bob", "--dry-run").stdout
    assert "The account 'bob' and everything that identifies its person are deleted." in said
    assert user("bob").is_active
    assert call("erase", "bob", input="n\n").exit_code == 1
    assert user("bob").is_active
    assert "Erased. There was no work to keep." in call("erase", "bob", "--yes").stdout
    assert "bob" not in call("list").stdout
    assert "nothing is stored about it" in call("erase", "bob").stdout
    with pytest.raises(UsageError, match="only admin"):
        call("erase", "ada", "--yes")


def test_what_is_stored_about_a_person_is_written_to_an_archive(tmp_path):
    import zipfile

    add("ada")
    target = tmp_path / "ada.zip"
    assert call("export", "ada", target).exit_code == 0
    with zipfile.ZipFile(target) as archive:
        assert {"README.txt", "account.json", "audit.json"} <= set(archive.namelist())
    with pytest.raises(UsageError, match="--force"):
        call("export", "ada", target)


def test_an_account_is_renamed_and_removed_or_closed_where_work_hangs_on_it():
    add("ada")
    add("bob")
    assert call("rename", "ada", "ada.l").output == "ada is ada.l from now on.\n"
    with pytest.raises(UsageError, match="bob"):
        call("rename", "ada.l", "bob")
    campaign = make_campaign(annotators=(User.objects.get(username="ada.l"),))
    done(campaign, User.objects.get(username="ada.l"))
    closed = "The account of ada.l is closed; its work is kept.\n"
    assert call("remove", "ada.l").output == closed
    assert call("remove", "bob").output == "The account of bob is deleted.\n"
    assert not User.objects.filter(username="bob").exists()
    with pytest.raises(GistmarkError, match="bob"):
        call("remove", "bob")
