"""Runs tests in several processes that start where this one is: all is imported and collected.

`pytest --workers 4` collects once and then forks. Each worker asks for one file after the other,
from the same folder as long as there are any, and sends its reports back. So what the tests of a
file or a folder share is made once. The workers of pytest-xdist import and collect everything
for themselves, which takes as long as thousands of the tests.
"""

from __future__ import annotations

import atexit
import gc
import io
import itertools
import os
import pickle
import signal
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn
from warnings import WarningMessage

import pytest
from _pytest.config import create_terminal_writer

LONGEST_FIRST = (
    "tests/contracts/test_metrics.py",
    "tests/test_docs.py",
    "tests/browser/test_pages.py",
    "tests/cli/campaign/test_campaign_simulate.py",
    "tests/browser/forms/test_designed_study.py",
    "tests/browser/test_whole_study.py",
    "tests/browser/annotate/test_annotation_protocols.py",
    "tests/cli/test_demo.py",
    "tests/web/test_secrets.py",
    "tests/web/test_nothing_lost.py",
    "tests/cli/platform/test_server.py",
    "tests/cli/platform/test_check.py",
)
"""Files that one worker is busy with for long, so that none is left to the end of a run."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("workers")
    group.addoption("--workers", type=int, default=0, help="how many processes run the tests")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    count = session.config.getoption("workers")
    if not count or session.config.option.collectonly:
        return None
    if session.testsfailed and not session.config.option.continue_on_collection_errors:
        raise session.Interrupted(f"{session.testsfailed} errors during collection")
    Controller(session).run(count)
    return True


@dataclass(frozen=True)
class File:
    """A file of tests, and these by their index."""

    name: str
    indexes: list[int]

    @property
    def folder(self) -> str:
        """Where the tests stand that share something with these, such as tests/report."""
        return "/".join(self.name.split("/")[:2])


class Files:
    """The files that no worker has had yet."""

    def __init__(self, items: list[pytest.Item]) -> None:
        names = [item.nodeid.partition("::")[0] for item in items]
        by_name = itertools.groupby(range(len(items)), names.__getitem__)
        self._left = [File(name, list(indexes)) for name, indexes in by_name]

    def __len__(self) -> int:
        return len(self._left)

    def take(self, folder: str, others: set[str]) -> File | None:
        """One that takes long; else one of this folder, of a folder that no other has, or any."""
        rank = [
            (name_rank(file.name), file.folder != folder, file.folder in others)
            for file in self._left
        ]
        return self._left.pop(rank.index(min(rank))) if rank else None

    def put_back(self, file: File) -> None:
        self._left.append(file)


def name_rank(name: str) -> int:
    """The longest file comes first; all others are alike."""
    return LONGEST_FIRST.index(name) if name in LONGEST_FIRST else len(LONGEST_FIRST)


@dataclass
class Worker:
    """A process, the tests that it has yet to finish, and the file that it had last."""

    process: int
    assigned: deque[int] = field(default_factory=deque)
    file: File = File("", [])


class Controller:
    """Hands out files, and shows the reports as if the tests had run here."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session
        self._files = Files(session.items)
        self._workers: dict[Connection, Worker] = {}
        self._names = (f"gw{number}" for number in itertools.count())

    def run(self, count: int) -> None:
        if self._session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
            load_what_many_tests_use()
        try:
            for _ in range(min(count, len(self._files))):
                self._fork()
            while self._workers:
                for connection in wait(list(self._workers)):
                    self._receive(connection)
                    self._stop_if_told()
        finally:
            for worker in self._workers.values():
                os.kill(worker.process, signal.SIGKILL)
                os.waitpid(worker.process, 0)

    def _fork(self) -> None:
        mine, theirs = Pipe()
        name = next(self._names)
        process = os.fork()
        if process == 0:
            for each in (mine, *self._workers):
                each.close()
            run_worker(self._session, theirs, name)
        theirs.close()
        self._workers[mine] = Worker(process)

    def _receive(self, connection: Connection) -> None:
        hook, worker = self._session.config.hook, self._workers[connection]
        kind, content = received(connection)
        if kind == "nothing":
            self._bury(connection)
        elif kind == "next":
            connection.send(self._next(worker))
        elif kind == "finished":
            worker.assigned.remove(content)
        elif kind == "report":
            config = self._session.config
            report = hook.pytest_report_from_serializable(config=config, data=content)
            hook.pytest_runtest_logreport(report=report)
        elif kind == "warning":
            hook.pytest_warning_recorded.call_historic(kwargs=content)
        elif kind == "fault":
            raise RuntimeError(content)

    def _next(self, worker: Worker) -> list[int]:
        others = {each.file.folder for each in self._workers.values() if each is not worker}
        file = self._files.take(worker.file.folder, others)
        if file is None:
            return []
        worker.file = file
        worker.assigned.extend(file.indexes)
        return file.indexes

    def _bury(self, connection: Connection) -> None:
        """Forget a worker that ended; if it died over a test, this failed and another goes on."""
        worker = self._workers.pop(connection)
        _, status = os.waitpid(worker.process, 0)
        connection.close()
        if not worker.assigned:
            if status:
                raise RuntimeError(f"a worker ended with status {status} after its last test")
            return
        item = self._session.items[worker.assigned.popleft()]
        text = f"The process died: {os.waitstatus_to_exitcode(status)} (negative: a signal)."
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
        self._session.config.hook.pytest_runtest_logreport(report=report)
        if worker.assigned:
            self._files.put_back(File(worker.file.name, list(worker.assigned)))
        if self._files:
            self._fork()

    def _stop_if_told(self) -> None:
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if self._session.shouldstop:
            raise self._session.Interrupted(self._session.shouldstop)


def received(connection: Connection) -> tuple[str, Any]:
    try:
        return connection.recv()
    except (EOFError, ConnectionResetError):
        return "nothing", None


def load_what_many_tests_use() -> None:
    """Import libraries and compile kernels, which workers then have, and leave no thread behind."""
    from compile_kernels import main

    for library in ("torch", "transformers", "matplotlib.figure", "playwright.sync_api"):
        with suppress(ImportError):
            import_module(library)
    main()
    gc.collect()
    gc.freeze()


def run_worker(session: pytest.Session, connection: Connection, name: str) -> NoReturn:
    """Be a worker until no file is left. What ends with this process has begun in it."""
    status = 1
    try:
        atexit._clear()
        become(session, name)
        reporter = Reporter(session.config, connection)
        session.config.pluginmanager.register(reporter, "reports of a worker")
        reporter.is_listening = True
        for index, following in in_pairs(connection):
            item = session.items[index]
            after = None if following is None else session.items[following]
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            connection.send(("finished", index))
        session.config.hook.pytest_sessionfinish(session=session, exitstatus=0)
        atexit._run_exitfuncs()
        status = 0
    except Exception:
        connection.send(("fault", f"In worker {name}:\n{traceback.format_exc()}"))
    finally:
        os._exit(status)


def become(session: pytest.Session, name: str) -> None:
    """Have folders, a database, a capture of what is printed, and no terminal of one's own."""
    config = session.config
    config.workerinput = {"workerid": name}
    plugins = config.pluginmanager
    capture = plugins.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    plugins.unregister(plugins.getplugin("terminalreporter"))
    nowhere = create_terminal_writer(config, io.StringIO())
    plugins.register(SimpleNamespace(_tw=nowhere), "terminalreporter")
    folders = config._tmp_path_factory
    folders._basetemp = folders.getbasetemp() / name
    folders._basetemp.mkdir()
    config.hook.pytest_worker_begins(folder=folders._basetemp)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)


class Hooks:
    """What a worker calls before its first test."""

    def pytest_worker_begins(self, folder: Path) -> None:
        """Have nothing in common with other workers that they could change."""


class Reporter:
    """Sends what a worker reports to the process that shows it."""

    def __init__(self, config: pytest.Config, connection: Connection) -> None:
        self._config, self._connection = config, connection
        self.is_listening = False  # pytest repeats warnings from before to whoever comes

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        hook = self._config.hook
        data = hook.pytest_report_to_serializable(config=self._config, report=report)
        self._connection.send(("report", data))

    def pytest_warning_recorded(
        self, warning_message: WarningMessage, when: str, nodeid: str, location: Any
    ) -> None:
        if not self.is_listening:
            return
        try:
            pickle.dumps(warning_message.message)
            message = warning_message.message
        except Exception:
            message = UserWarning(str(warning_message.message))
        copy = WarningMessage(
            message, warning_message.category, warning_message.filename, warning_message.lineno
        )
        more = {"when": when, "nodeid": nodeid, "location": location}
        self._connection.send(("warning", {"warning_message": copy, **more}))


def in_pairs(connection: Connection) -> Iterator[tuple[int, int | None]]:
    """Every test with the one after it, which says what may be torn down in between."""
    indexes = ask(connection)
    while indexes:
        index = indexes.popleft()
        indexes = indexes or ask(connection)
        yield index, indexes[0] if indexes else None


def ask(connection: Connection) -> deque[int]:
    connection.send(("next", None))
    return deque(connection.recv())
