"""The documentation runs: Python blocks as they stand, and every `$ gistmark` command."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import gistmark
from gistmark.cli.main import main
from gistmark.judgements.forms import block_types

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMON_SETTINGS = ("name", "question", "guidance", "required", "when", "expected")
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks_of(page: Path) -> list[tuple[str, str]]:
    return [(kind, body) for kind, body in BLOCK.findall(page.read_text(encoding="utf-8"))]


@pytest.fixture(scope="module")
def small_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Part of the sample: that the commands run is tested, not what they compute."""
    sample = gistmark.load(gistmark.sample_folder())
    some = sample.only(sample.document_ids[:3])
    overall = tuple(each for each in some.ratings if each.dimension == "Overall Quality")
    folder = tmp_path_factory.mktemp("sample")
    gistmark.save(replace(some, ratings=overall), folder)
    return folder


@pytest.mark.usefixtures("blank_figures")
@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks_of(page)], ids=lambda page: page.name
)
def test_the_code_blocks_of_the_page_run(
    page: Path, small_sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAMPLE", str(small_sample))
    monkeypatch.setenv("GISTMARK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    names: dict[str, object] = {"__name__": "__main__"}
    for kind, body in blocks_of(page):
        if kind == "python":
            exec(compile(body, page.name, "exec"), names)
        else:
            run_commands(body)


def run_commands(body: str) -> None:
    for line in body.splitlines():
        if line.startswith("$ gistmark "):
            run_gistmark(line)
        elif line.startswith("$ "):
            done = subprocess.run(line[2:], shell=True, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def run_gistmark(line: str) -> None:
    """In this process, which has imported already what the command needs."""
    arguments = [os.path.expandvars(word) for word in shlex.split(line, comments=True)[2:]]
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert not caught.value.code, line


def test_the_pages_have_code_blocks_to_run() -> None:
    assert sum(len(blocks_of(page)) for page in PAGES) >= 10


def test_the_reference_pages_are_what_the_code_says(tmp_path: Path) -> None:
    # In a process of its own: click remembers the help option of the first context it meets.
    subprocess.run([sys.executable, ROOT / "docs" / "reference.py", tmp_path], check=True)
    fresh = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.iterdir()}
    assert set(fresh) == {"cli.md", "metrics.md", "systems.md"}
    for name, page in fresh.items():
        written = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert written == page, f"run `make docs` and commit {name}"


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert f": {page.name}" in navigation, f"{page.name} is not in mkdocs.yml"


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_the_example_runs(
    example: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GISTMARK_CACHE", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [str(example)])
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_the_page_of_forms_names_every_type_of_block_and_its_settings() -> None:
    page = (ROOT / "docs" / "forms.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    for described in block_types():
        own = [row for row in rows if row.startswith(f"| `{described['type']}` |")]
        assert own, f"{described['type']} is not in forms.md"
        for setting in described["settings"]:
            common = setting["name"] in COMMON_SETTINGS
            named = f"`{setting['name']}`"
            assert named in (page if common else " ".join(own)), (described["type"], named)
