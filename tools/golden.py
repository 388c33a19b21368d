"""Compare what two trees write: `python tools/golden.py BASE [ROOM ...]`.

BASE is a commit, which is checked out into a temporary git worktree; the other tree is the working
tree that holds this file, with its uncommitted changes. Both write the outputs of each room into a
folder, in a process of their own. What is equal is counted, what differs is shown as a short diff.
Text files are compared by their lines, other files by whether they are there. Exit status: 0 if
everything is equal, 1 if anything differs or failed.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MOST_LINES = 12
"""How many lines of a file's diff are printed."""
LONGEST_LINE = 160
SEED = 7


def write_help(folder: Path) -> None:
    """The help of every command, in one file per verb."""
    import click

    from gistmark.cli.main import gistmark

    def pages(command: click.Command | None, name: str) -> Iterator[str]:
        assert command is not None, name
        context = click.Context(command, info_name=name, max_content_width=88, terminal_width=88)
        yield f"$ {name} --help\n{command.get_help(context)}\n"
        if isinstance(command, click.Group):
            for part in command.list_commands(context):
                yield from pages(command.get_command(context, part), f"{name} {part}")

    context = click.Context(gistmark)
    for verb in gistmark.list_commands(context):
        text = "\n".join(pages(gistmark.get_command(context, verb), f"gistmark {verb}"))
        (folder / f"{verb}.txt").write_text(text, encoding="utf-8")


def write_api(folder: Path) -> None:
    """The description of the API, as OpenAPI JSON."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "gistmark.web.config.settings"
    os.environ["GISTMARK_DATA"] = str(folder.parent / "data")
    import django

    django.setup()
    from gistmark.web.api.service import api

    _write_json(folder / "openapi.json", api.get_openapi_schema(path_prefix="/api/"))


def write_scores(folder: Path) -> None:
    """The scores of every lexical metric on the sample, as CSV."""
    from gistmark.corpus import sample_folder

    options = ("-m", "lexical", "--no-cache", "-o", "scores.csv")
    _gistmark(folder, "score", sample_folder(), *options)


def write_study(folder: Path) -> None:
    """`study.json` and the report of the sample with lexical metrics."""
    from gistmark.corpus import sample_folder

    options = ("-m", "lexical", "--resamples", 200, "-o", "report")
    _gistmark(folder, "study", sample_folder(), *options)


def write_presets(folder: Path) -> None:
    """Of every preset's first tasks: the payload, a simulated answer, and the export."""
    from dataclasses import replace

    from gistmark import judgements
    from gistmark.corpus import load, sample_folder, save
    from gistmark.records import ContentUnit
    from gistmark.text.sentences import sentences

    corpus = load(sample_folder())
    units = [
        ContentUnit(document, f"{reference.system}-{number}", text, reference=reference.system)
        for document, references in corpus.references.items()
        for reference in references
        for number, text in enumerate(sentences(reference.text), start=1)
    ]
    corpus = replace(corpus, units=tuple(units))
    knowledge = judgements.knowledge_from(corpus, {}, seed=SEED)
    texts = judgements.Texts.of(corpus)
    for name in judgements.PROTOCOLS:
        results = []
        for number, annotator in ((1, "ann"), (1, "bob"), (2, "ann")):
            seen = judgements.preview(
                corpus, judgements.get_protocol(name), number, seed=SEED, annotator=annotator
            )
            payload = judgements.payload(seen.task, seen.protocol, corpus)
            answer = judgements.simulate(
                payload, "careful", knowledge, seed=SEED, annotator=annotator
            ).answer
            task = folder / name / f"task-{number}-{annotator}"
            _write_json(task.with_suffix(".payload.json"), payload)
            _write_json(task.with_suffix(".answer.json"), answer)
            read = judgements.read_answer(answer, seen.protocol, seen.task, texts=texts)
            results.append(judgements.Result(seen.task, read))
        exported = judgements.export_corpus(corpus, results, seen.protocol, campaign=name)
        save(exported, folder / name / "export")


PRODUCERS: dict[str, Callable[[Path], None]] = {
    "help": write_help,
    "api": write_api,
    "scores": write_scores,
    "presets": write_presets,
    "study": write_study,
}


def main() -> int:
    """Compare the rooms, and print what differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("base", metavar="BASE", help="the commit to compare with")
    parser.add_argument("rooms", metavar="ROOM", nargs="*", help=f"of {', '.join(PRODUCERS)}")
    options = parser.parse_args()
    if unknown := set(options.rooms) - set(PRODUCERS):
        parser.error(f"there is no {', '.join(sorted(unknown))}; rooms: {', '.join(PRODUCERS)}")
    different = 0
    with TemporaryDirectory() as temporary, _checkout(options.base, Path(temporary)) as base:
        for room in options.rooms or PRODUCERS:
            before, after = (Path(temporary) / side / room for side in ("before", "after"))
            written = [_produce(room, tree, to) for tree, to in ((base, before), (ROOT, after))]
            different += not all(written) or not _compare(room, before, after)
    return 1 if different else 0


@contextmanager
def _checkout(commit: str, temporary: Path) -> Iterator[Path]:
    """The tree of a commit, as long as it is compared."""
    tree = temporary / "base"
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
    try:
        yield tree
    finally:
        subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def _produce(room: str, tree: Path, folder: Path) -> bool:
    """Let a tree write a room's outputs; an error of its own is printed."""
    folder.mkdir(parents=True)
    environment = os.environ | {
        "PYTHONPATH": str(tree / "src"),
        "GISTMARK_CACHE": str(folder.parent / "cache"),
        "COLUMNS": "88",
    }
    command = [sys.executable, __file__, "--produce", room, str(folder)]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True)
    if finished.returncode:
        print(f"{room}: {folder.parent.name} failed\n{finished.stderr[-2000:]}")
    return finished.returncode == 0


def _compare(room: str, before: Path, after: Path) -> bool:
    """Print what differs between two folders, and return whether nothing does."""
    old, new = _read_folder(before), _read_folder(after)
    names = sorted(old.keys() | new.keys())
    different = [name for name in names if old.get(name) != new.get(name)]
    print(f"{room}: {len(names) - len(different)} of {len(names)} files are equal")
    for name in different:
        if name not in old or name not in new:
            print(f"  {name} is only {'after' if name in new else 'before'}")
            continue
        print(f"  {name} differs:")
        diff = list(difflib.unified_diff(old[name], new[name], lineterm="", n=0))[2:]
        lines = [line for line in diff if not line.startswith("@@")]
        for line in lines[:MOST_LINES]:
            print(f"    {line[:LONGEST_LINE]}")
        if len(lines) > MOST_LINES:
            print(f"    ... and {len(lines) - MOST_LINES} further lines")
    return not different


def _read_folder(folder: Path) -> dict[str, list[str]]:
    """The lines of each text file, by its path in the folder; no lines of other files."""
    lines: dict[str, list[str]] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            try:
                content = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                content = ""
            lines[str(path.relative_to(folder))] = content.splitlines()
    return lines


def _write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, indent=1, ensure_ascii=False, default=str)
    path.write_text(text, encoding="utf-8")


def _gistmark(folder: Path, *arguments: object) -> None:
    """Run a command in a folder; what it prints is an output too."""
    command = [sys.executable, "-m", "gistmark", *map(str, arguments)]
    with (folder / "printed.txt").open("w") as printed:
        subprocess.run(command, check=True, stdout=printed, cwd=folder)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--produce"]:
        import gistmark

        tree = os.environ["PYTHONPATH"]
        if not Path(gistmark.__file__).is_relative_to(tree):
            sys.exit(f"gistmark was imported from {gistmark.__file__}, not from {tree}.")
        PRODUCERS[sys.argv[2]](Path(sys.argv[3]))
    else:
        sys.exit(main())
