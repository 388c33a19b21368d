"""Runs commands in forks of a process that has already imported what they need.

A command takes milliseconds for what is tested and half a second or more for its imports. `Forks`
saves that time where a test is about neither the imports nor the start of Python. Each command is
still a process of its own, with its own environment, folder, output and exit status.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import subprocess
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory


class Forks:
    """Runs Python programs in forks of a process that has imported `modules`."""

    def __init__(self, *modules: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, *modules],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> Forks:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=60)

    def run(
        self, module: str, *arguments: object, env: Mapping[str, str], cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Do what `python -m module arguments` would do, and return its exit status and output."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        words = [module, *map(str, arguments)]
        with TemporaryDirectory() as folder:
            out, err = Path(folder) / "out", Path(folder) / "err"
            asked = {"words": words, "env": dict(env), "cwd": str(cwd or Path.cwd())}
            print(json.dumps(asked | {"out": str(out), "err": str(err)}), file=self._process.stdin)
            self._process.stdin.flush()
            code = int(self._process.stdout.readline())
            return subprocess.CompletedProcess(
                words, code, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")
            )


def serve(modules: list[str]) -> None:
    """Fork for every line on the standard input, and print how each fork ended."""
    for module in modules:
        import_module(module)
    gc.freeze()  # so that garbage collection does not write to memory that forks share
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            os._exit(become(**json.loads(line)))
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def become(words: list[str], env: dict[str, str], cwd: str, out: str, err: str) -> int:
    """Run a command in this fork; returns its exit status."""
    for number, path, mode in ((0, os.devnull, "r"), (1, out, "w"), (2, err, "w")):
        with Path(path).open(mode) as file:
            os.dup2(file.fileno(), number)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    first = [each for each in env.get("PYTHONPATH", "").split(os.pathsep) if each]
    sys.path[:] = [cwd, *first, *(each for each in sys.path if each not in first)]
    module, *sys.argv[1:] = words
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))  # a program has no tests on its path
    serve(sys.argv[1:])
