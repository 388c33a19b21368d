"""The `gistmark` command: finds the verb, runs it, and turns errors into one clear message.

Exit status: 0 when all went well, 1 when the data or the run failed, 2 when the command was
wrong, 3 when a threshold was not reached.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn

import click

from gistmark._version import __version__
from gistmark.cli.terminal.output import warnings_as_lines
from gistmark.errors import (
    GistmarkError,
    InterruptedRunError,
    PluginError,
    ThresholdError,
    UsageError,
)

VERBS = {
    "score": ("gistmark.cli.score:score", "Score summaries with metrics; print a leaderboard."),
    "judge": ("gistmark.cli.judge:judge", "Let a model rate or compare summaries, as people do."),
    "study": (
        "gistmark.cli.studies.study:study",
        "Judge metrics, annotators and systems; write a report.",
    ),
    "plan": (
        "gistmark.cli.studies.plan:plan",
        "Compute how many judgements a study needs to see a difference.",
    ),
    "sample": (
        "gistmark.cli.studies.sample:sample",
        "Choose the documents that people should judge.",
    ),
    "summarize": (
        "gistmark.cli.summarize:summarize",
        "Write summaries of several systems into a corpus.",
    ),
    "highlight": (
        "gistmark.cli.highlight:highlight",
        "Let systems, content units or a judge highlight the documents.",
    ),
    "paper": (
        "gistmark.cli.studies.paper:paper",
        "Recompute a paper's tables from its released data.",
    ),
    "metrics": ("gistmark.cli.listing:metrics", "List the metrics, what each needs, its options."),
    "metric": ("gistmark.cli.metric:metric", "Train a metric on people's scores."),
    "protocols": (
        "gistmark.cli.listing:protocols",
        "List the evaluation protocols and their settings.",
    ),
    "systems": ("gistmark.cli.listing:systems", "List the summarisers and their options."),
    "models": ("gistmark.cli.models:models", "List the models, or install one on this machine."),
    "import": ("gistmark.cli.convert:import_", "Turn another tool's data into a corpus folder."),
    "export": ("gistmark.cli.convert:export", "Write a corpus in another tool's format."),
    "serve": ("gistmark.cli.platform.server:serve", "Start the platform for evaluation campaigns."),
    "campaign": ("gistmark.cli.campaign.group:campaign", "Set up, run and export campaigns."),
    "users": ("gistmark.cli.platform.users:users", "Add, invite and list the platform's users."),
    "tasks": (
        "gistmark.cli.platform.tasks:tasks",
        "Allocate the tasks of a campaign, and decide on them.",
    ),
    "crowd": (
        "gistmark.cli.platform.crowd:crowd",
        "Recruit on Prolific: sync, review and pay.",
    ),
    "backup": (
        "gistmark.cli.platform.server:backup",
        "Back up the platform's data to a file.",
    ),
    "restore": (
        "gistmark.cli.platform.server:restore",
        "Restore a backup into an empty platform, or over what is there.",
    ),
    "notices": (
        "gistmark.cli.platform.notices:notices",
        "Send waiting e-mails, webhooks and digests.",
    ),
    "check": (
        "gistmark.cli.platform.check:check",
        "Check that a platform is safe, or that it is running well.",
    ),
    "tidy": ("gistmark.cli.platform.check:tidy", "Delete what has expired on the platform."),
    "encryption": (
        "gistmark.cli.platform.check:encryption",
        "Change the key that encrypts stored secrets.",
    ),
    "demo": ("gistmark.cli.demo:demo", "Score, study and report the bundled sample."),
}


class LazyGroup(click.Group):
    """A group whose verbs are imported when they are called, and described without import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module, _, attribute = VERBS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; with --debug the traceback of an error stands above its sentence."""
        if not ctx.params["debug"]:
            return super().invoke(ctx)
        with _debugging():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in VERBS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: gistmark score my-corpus -m rouge1 -m rougeL -o scores.csv",
)
@click.version_option(__version__, prog_name="gistmark")
@click.option(
    "--debug",
    is_flag=True,
    envvar="GISTMARK_DEBUG",
    show_envvar=True,
    help="Show the traceback of an error: gistmark --debug score ...",
)
def gistmark(debug: bool) -> None:
    """Find out how good summaries are: metrics, people, and how far to trust both."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # Characters that its encoding lacks are escaped.
            stream.reconfigure(errors="backslashreplace")
    try:
        with warnings_as_lines():
            status = gistmark.main(args=arguments, prog_name="gistmark", standalone_mode=False)
    except UsageError as error:
        status = _complain(str(error), 2)
    except PluginError as error:
        status = _complain(f"{error} (--debug shows where).", 1)
    except ThresholdError as error:
        status = _complain(str(error), 3)
    except InterruptedRunError as error:
        _leave(_complain(str(error), 1), at_once=arguments is None)
    except GistmarkError as error:
        status = _complain(str(error), 1)
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _leave(_complain("Interrupted.", 1), at_once=arguments is None)
    except BrokenPipeError:
        sys.stderr.close()
        status = 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        status = _complain(f"{where}{error.strerror or error}", 1)
    except Exception as error:
        status = _complain(_unexpected(error), 1)
    sys.exit(status if isinstance(status, int) else 0)


def _leave(status: int, *, at_once: bool) -> NoReturn:
    """Exit after Ctrl-C; a process of our own does not wait for workers in a long pass of a model,
    nor for libraries to shut down.
    """
    if at_once:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


@contextmanager
def _debugging() -> Iterator[None]:
    """Show the tracebacks of errors, and of those that a run logs and survives."""
    logger, handler = logging.getLogger("gistmark"), logging.StreamHandler()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception:
        traceback.print_exc()
        raise
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _unexpected(error: Exception) -> str:
    """An unexpected error: a plugin's, or one of ours, which we want to hear of."""
    from gistmark.registry import plugin_behind

    message = f"{type(error).__name__}: {error}"
    if plugin := plugin_behind(error):
        return f"The plugin {plugin} failed: {message} (--debug shows where)."
    return (
        f"Unexpected error: {message}. Please report it, with the traceback that gistmark --debug "
        "shows for the same command."
    )


def _complain(message: str, status: int) -> int:
    click.echo(f"gistmark: {message}", err=True)
    return status
