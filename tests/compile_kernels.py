"""Compiles the numba kernels and migrates the database that tests copy, once for all workers.

Both are kept, so only the first run after a change takes time.
"""

from __future__ import annotations

from gistmark.analysis import StudyOptions, study
from gistmark.corpus import load, sample_folder
from gistmark.metrics.catalogue import GROUPS
from gistmark.scoring import score
from gistmark.summarizers import Limit, Source, system_from
from web.migrated import migrated_database


def main() -> None:
    whole = load(sample_folder())
    corpus = whole.only(whole.document_ids[:3])
    score(corpus, [*GROUPS["lexical"], "wmd"], cache=False)
    scores = score(corpus, ["rouge1", "rouge2"], cache=False)
    study(corpus, scores, StudyOptions(resamples=2))
    study(corpus, scores, StudyOptions(resamples=2, test="permutation", coefficient="kendall"))
    system_from("LexRank").summarize(Source(corpus.documents[0]), Limit())
    migrated_database()


if __name__ == "__main__":
    main()
