"""docs/architecture.md names what is in the tree, and every package; the glossary is followed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`(gistmark(?:\.\w+)*)`", PAGE)))
ENTRY_POINTS = set(re.findall(r"entry point `([\w.]+)`", PAGE))


def packages() -> list[str]:
    """The packages at depth one and two, such as `gistmark.web` and `gistmark.web.api`."""
    folders = [*SOURCE.glob("gistmark/*/__init__.py"), *SOURCE.glob("gistmark/*/*/__init__.py")]
    return sorted(".".join(path.parent.relative_to(SOURCE).parts) for path in folders)


def file_of(module: str) -> Path | None:
    path = SOURCE.joinpath(*module.split("."))
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.exists()), None)


def names_in(path: Path) -> set[str]:
    """What a module defines, imports or lists in a string, such as a name imported on use."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    defined = (ast.FunctionDef, ast.ClassDef)
    names = {node.name for node in ast.walk(tree) if isinstance(node, defined)}
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return names | {alias.asname or alias.name for node in imports for alias in node.names}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ENTRY_POINTS])
def test_what_the_page_names_exists(name: str) -> None:
    if file_of(name) is not None:
        return
    module, _, attribute = name.rpartition(".")
    path = file_of(module)
    assert path is not None, f"docs/architecture.md names {name}, and there is no module {module}"
    assert attribute in names_in(path), f"docs/architecture.md names {name}, which {module} lacks"


def test_the_page_names_every_package_at_depth_one_and_two() -> None:
    assert [name for name in packages() if name not in NAMES] == []


def test_a_name_that_is_not_in_the_tree_is_noticed() -> None:
    assert file_of("gistmark.summarizers.run") is not None
    assert file_of("gistmark.no_such_room") is None
    assert "no_such_function" not in names_in(SOURCE / "gistmark" / "summarizers" / "run.py")


# Words of the glossary in CONTRIBUTING.md that no name has any more; a word joins once it is gone.
GONE = frozenset(
    {"foresee", "foresees", "foreseen", "foreseeing", "foresight", "pupil", "pupils"}
    | {"lesson", "lessons", "taught", "untaught", "hand_in", "hands_in", "handing_on"}
)

# Words that no name has outside gistmark.web, beyond those.
GONE_OUTSIDE_WEB = frozenset(
    {"asked", "asking", "told", "said", "way", "ways", "place", "places", "found", "taking"}
    | {"deciding", "made", "drawn", "room", "rooms", "standing", "standings"}
)
ALLOWED = {
    "FileNotFoundError": "Python's own",
    "LocalEntryNotFoundError": "Hugging Face's own",
    "places": "what markets call how many participants a study takes",
    "_one_way": "the one-way model of an intraclass correlation",
}


@cache
def words_of(name: str) -> set[str]:
    """The words of a name in snake_case, kebab-case or camelCase, and pairs of neighbours."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()
    words = [word for word in spaced.split("_") if word]
    return {*words, *map("_".join, pairwise(words))}


@cache
def names_of(path: Path) -> set[str]:
    """The identifiers of a Python module; of a script or style sheet all that looks like one."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return set(re.findall(r"[A-Za-z_][\w-]*", text))
    fields = ("id", "attr", "arg", "name", "asname", "module")
    values = (getattr(node, field, None) for node in ast.walk(ast.parse(text)) for field in fields)
    return {part for value in values if isinstance(value, str) for part in value.split(".")}


def names_with(words: frozenset[str], files: Iterable[Path]) -> list[str]:
    """The names in these files that contain one of the words, each behind its file."""
    return sorted(
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        if "migrations" not in path.parts
        for name in {path.stem, *names_of(path)} - ALLOWED.keys()
        if words_of(name) & words
    )


def test_no_name_has_a_word_that_the_glossary_replaced() -> None:
    files = [path for kind in ("py", "js", "css") for path in SOURCE.rglob(f"*.{kind}")]
    outside = [path for path in files if (SOURCE / "gistmark" / "web") not in path.parents]
    assert names_with(GONE, files) == []
    assert names_with(GONE_OUTSIDE_WEB, outside) == []


@pytest.mark.parametrize(
    "name", ["foreseen_tokens", "PupilModel", "hand-in", "lessonOf", "hand_in"]
)
def test_a_word_is_noticed_however_it_is_written(name: str) -> None:
    assert words_of(name) & GONE


def test_a_name_inside_an_f_string_is_noticed(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('text = f"{row.place_of_token}"\n', encoding="utf-8")
    assert any(words_of(name) & GONE_OUTSIDE_WEB for name in names_of(module))
