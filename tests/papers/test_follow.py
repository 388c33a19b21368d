"""The pages that follow the papers: every command of their tables runs, or at least is accepted.

A command with `(needs …)` behind it needs a model, a browser or people's judgements, so that only
its options and the names of its metrics and systems are checked. Commands on released data run
where these are.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import click
import pytest

import gistmark as package
from gistmark.cli.main import gistmark, main
from gistmark.metrics.catalogue import metrics_from
from gistmark.papers import paper_names
from gistmark.summarizers.catalogue import systems_from
from gistmark.web.accounts.people import create_user

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.glob("follow-*.md"))
ROWS = re.compile(
    r"^\| (?P<section>[^|]+) \| (?P<how>[^|]+) \| (?P<result>[^|]+) \|$", re.MULTILINE
)
COMMANDS = re.compile(r"`(gistmark [^`]+)`(?: \(needs ([^)]+)\))?")
VARIANTS = re.compile(r"^\$ (gistmark campaign set .+)$", re.MULTILINE)
DATA = "paper-data"
pytestmark = pytest.mark.usefixtures("blank_figures")


@dataclass(frozen=True)
class Command:
    """A command of a table, and what it needs besides."""

    text: str
    needs: str

    @property
    def on_released_data(self) -> bool:
        plain = self.text.startswith("gistmark paper ") and not self.needs
        return plain or DATA in f"{self.text} {self.needs}"

    def words(self) -> list[str]:
        return shlex.split(self.text)[1:]


def commands_of(page: Path) -> list[Command]:
    """The commands of the table in order, with the variants of the questions at the end."""
    text = page.read_text(encoding="utf-8")
    found = [
        match.groups() for row in ROWS.finditer(text) for match in COMMANDS.finditer(row["how"])
    ]
    found += [(variant, None) for variant in VARIANTS.findall(text)]
    return [Command(words, needs or "") for words, needs in dict.fromkeys(found)]


def run(command: Command) -> None:
    with pytest.raises(SystemExit) as caught:
        main(command.words())
    assert not caught.value.code, command.text


def accept(arguments: Sequence[str]) -> None:
    """Read a command as it is read before it runs, with the metrics and systems that it names."""
    command: click.Command = gistmark
    context = click.Context(command)
    while isinstance(command, click.Group):
        name, *arguments = arguments
        inner = command.get_command(context, name)
        assert inner is not None, name
        command = inner
    command.make_context(command.name, list(arguments)).close()
    for option, value in pairwise(arguments):
        if option == "-m":
            metrics_from([value])
        elif option == "-s":
            systems_from([value])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run: some of the sample, and the rows of a campaign to enter."""
    whole = package.load(package.sample_folder())
    package.save(whole.only(whole.document_ids[:3]), tmp_path / "sample")
    row = "1,A bridge,A bridge is shut.,The old bridge is shut."
    (tmp_path / "rows.csv").write_text(f"idx,title,gold,bart_summaries\n{row}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GISTMARK_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.django_db
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_the_table_run_in_order(page: Path, folder: Path) -> None:
    create_user("root", role="admin")
    for command in commands_of(page):
        if command.on_released_data:
            continue
        if command.needs:
            accept(command.words())
        else:
            run(command)


@pytest.mark.papers
@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_on_released_data_run_in_order(
    page: Path, folder: Path, paper_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / DATA).symlink_to(paper_data)
    monkeypatch.setenv("GISTMARK_PAPER_DATA", str(paper_data))
    for command in commands_of(page):
        if command.on_released_data:
            run(replace(command, needs=""))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_row_says_how_and_what_comes_out(page: Path) -> None:
    _, *table = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert len(table) > 10
    for line in table:
        row = ROWS.fullmatch(line)
        assert row is not None, line
        how = row["how"]
        assert COMMANDS.search(how) or "](" in how or how == "none" or how.startswith("the same")


def test_a_page_follows_every_paper_that_is_recomputed() -> None:
    assert {page.stem.removeprefix("follow-") for page in PAGES} == set(paper_names())
