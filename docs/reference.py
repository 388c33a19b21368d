"""Writes `cli.md`, `metrics.md` and `systems.md` from the code; a test holds them to it.

`python docs/reference.py [FOLDER]`, by default into this folder.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).parent

METRICS_HEAD = """# Metrics

Every metric of Gistmark with its options. `gistmark metrics NAME` prints the same.
Options are written behind the name: `-m "rougeL:stem=yes,refs=mean"`.

| numbers | equal |
|---|---|
| `rouge1` to `rouge4`, `rougeL`, `rougeLsum` | rouge_score 0.1.2, to the last bit |
| `rouge1` to `rouge4`, `rougeLsum` (its ROUGE-L), `rougeW`, `rougeS4`, `rougeSU4` | the Perl \
script ROUGE-1.5.5, to its five decimals; with `stem=yes,stemmer=rouge155` those of its option -m |
| `hrouge1`, `hrouge2` with `beta=one` | the rows "ROUGE (Original document)" of HighRES, Table 5 |
| `bertscore` | bert-score 0.3.13 on the same model and layer, to 1e-5 |
| `sentence-cosine` | sentence-transformers on the same model, to 1e-5, for texts that fit in it |
| `wmd` | gensim's `wmdistance`, to 1e-6 |
| `wordvec-cosine` with a pipeline | spaCy's `Doc.similarity`, to 1e-6 |

Two peculiarities of ROUGE-1.5.5 are kept because published numbers have them: ROUGE-W raises the
reference's length to the power twice (`base=paper` does it once, as the paper says), and ROUGE-SU
leaves out a text's last word as a unigram.

"""


GROUPS_HEAD = """## Groups

A name that stands for several metrics, as in `-m rouge`:
"""

GROUP_NOTES = {
    "default": "what runs when no metric is given, as far as the corpus has what each needs",
    "rouge": "all ROUGE metrics",
    "lexical": "metrics that need no model",
    "word-vectors": "metrics on word vectors",
    "neural": "metrics on the embedded neural models, except `blanc-tune`, which is much slower",
    "reference-free": "metrics that judge a summary by its document alone",
    "emfos40": "the forty of the EMFoS thesis; [Models](models.md) says what each needs",
    "dip-sumeval": "those of the DIP-SumEval paper's Figure 3, against the documents of a topic",
}


SYSTEMS_HEAD = """# Systems

Every summariser with its options; [Summarisers](summarizers.md) says when to use which.
`gistmark systems NAME` prints the same. Options are written behind the name:
`-s "MMR:balance=0.7"`.

## Groups

A name that stands for several systems, as in `-s extractive`:
"""

SYSTEM_GROUP_NOTES = {
    "default": "what runs when no system is given: quick systems that need no model",
    "dip-sumeval": "the ten of the DIP-SumEval paper",
    "hierarchical": "systems that build a hierarchy of nuggets",
    "extractive": "systems that take sentences as they are",
    "all": "all of them",
}


def metrics_page() -> str:
    """Every metric of Gistmark with its options."""
    from gistmark.cli.listing import describe
    from gistmark.metrics.catalogue import GROUPS, METRICS

    entries = [describe(name) for name in METRICS if METRICS.source(name) == "gistmark"]
    sections = [METRICS_HEAD, GROUPS_HEAD, *_groups(GROUPS, GROUP_NOTES)]
    sections += [_section(entry, _metric_facts(entry)) for entry in entries]
    return "\n".join(sections) + "\n"


def systems_page() -> str:
    """Every summariser of Gistmark with its options."""
    from gistmark.cli.listing import describe_system, traits
    from gistmark.summarizers import GROUPS, SYSTEMS

    entries = [describe_system(name) for name in SYSTEMS.builtin]
    sections = [SYSTEMS_HEAD, *_groups(GROUPS, SYSTEM_GROUP_NOTES)]
    sections += [_section(entry, f"It {traits(entry)}.") for entry in entries]
    return "\n".join(sections) + "\n"


def _groups(groups: Mapping[str, tuple[str, ...]], notes: Mapping[str, str]) -> list[str]:
    return [
        f"- `{name}`: {notes[name]}: {', '.join(f'`{member}`' for member in members)}"
        for name, members in groups.items()
    ]


def _metric_facts(entry: dict[str, Any]) -> str:
    from gistmark.cli.listing import needed

    return f"Needs {needed(entry)}. Parts: {', '.join(entry['parts'])}. Better: {entry['better']}."


def _section(entry: dict[str, Any], facts: str) -> str:
    lines = [f"\n## {entry['name']}\n", f"{entry['about']} {facts}\n"]
    if entry["options"]:
        lines += ["| option | default | allowed | meaning |", "|---|---|---|---|"]
        lines += [
            f"| `{name}` | `{option['default']}` | {option['allowed'].replace('|', 'or')} "
            f"| {option['help']} |"
            for name, option in entry["options"].items()
        ]
        lines.append("")
    lines.append(f"Signature: `{entry['signature']}`")
    return "\n".join(lines)


def cli_page() -> str:
    """The help of every command."""
    from gistmark.cli.main import VERBS, gistmark

    pages = ["# The command line\n", _help(gistmark, "gistmark")]
    context = click.Context(gistmark)
    for verb in VERBS:
        command = gistmark.get_command(context, verb)
        assert command is not None
        pages += [f"## gistmark {verb}\n", _help(command, f"gistmark {verb}")]
        if isinstance(command, click.Group):
            pages += [
                f"### gistmark {verb} {name}\n{_help(part, f'gistmark {verb} {name}')}"
                for name, part in command.commands.items()
            ]
    pages.append(
        "Exit status: 0 when all went well, 1 when the data or the run failed, 2 when the command "
        "was wrong, 3 when a threshold was not reached.\n"
    )
    return "\n".join(pages)


def _help(command: click.Command, name: str) -> str:
    context = click.Context(
        command, info_name=name, help_option_names=["-h", "--help"], max_content_width=88
    )
    context.terminal_width = 88
    return f"```text\n{command.get_help(context)}\n```\n"


PAGES = {"cli.md": cli_page, "metrics.md": metrics_page, "systems.md": systems_page}

if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")
