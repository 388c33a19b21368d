"""Write blanc.json: what the package blanc 0.3.4 counts with a masked model.

Run it by hand, from the project's folder, with the papers' released data:

    python tests/metrics/language_model/golden/make_blanc.py DATA

It needs the embedded all-MiniLM-L6-v2 for its words. The package is fetched as the benchmarks do
it, splits sentences as Gistmark does, and runs with the transformers that is installed; a run with
transformers 4.44.2, which the package was made for, gave the same file. Texts are not stored, only
counts, the two measures, and a hash of every token that the package's model filled in.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TESTS = HERE.parents[2]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "benchmarks")]

from blanc_cases import GAPS, Case, cases  # noqa: E402
from blanc_package import VERSION, blanc_package  # noqa: E402
from guessing_model import guessing_model  # noqa: E402


def main() -> None:
    every = cases(Path(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        model = guessing_model(Path(folder) / "model")
        runs = [
            {"gap": gap, "case": case.name} | counted(peer, case)
            for gap in GAPS
            for peer in [recording(blanc_package().BlancHelp, model, gap)]
            for case in every
        ]
    golden = {
        "source": "blanc.BlancHelp of the package blanc, see make_blanc.py",
        "versions": {"blanc": VERSION, "sentencex": version("sentencex")},
        "runs": runs,
    }
    (HERE / "blanc.json").write_text(written(golden), encoding="utf-8")


def written(golden: dict[str, Any]) -> str:
    """The file's text, a run per line."""
    runs = ",\n  ".join(map(json.dumps, golden["runs"]))
    head = json.dumps(golden | {"runs": []}, indent=1)
    return head.replace('"runs": []', f'"runs": [\n  {runs}\n ]') + "\n"


def recording(kind: Any, model: Path, gap: int) -> Any:
    """The package's metric, which keeps what it fills in."""
    peer = kind(
        model_name=str(model), gap=gap, inference_batch_size=1, show_progress_bar=False,
        measure="relative-counts",
    )  # fmt: skip
    peer.filled = []
    run = peer.run_inference_batch

    def recorded(model: Any, batch: Any) -> Any:
        result = run(model, batch)
        peer.filled += result
        return result

    peer.run_inference_batch = recorded
    return peer


def counted(peer: Any, case: Case) -> dict[str, Any]:
    """Counts and measures of a case; inputs with help and with filler alternate."""
    from blanc.utils import measure_improve

    peer.filled.clear()
    relative, counts = peer.eval_once(case.document, case.summary)
    helped, unaided = (
        [token for filled in peer.filled[first::2] for token in filled.values()] for first in (0, 1)
    )
    return {
        "counts": [*counts[0], *counts[1]],
        "relative": relative,
        "improve": measure_improve(counts),
        "filled": hashlib.sha256(" ".join(unaided + helped).encode()).hexdigest()[:16],
    }


if __name__ == "__main__":
    main()
