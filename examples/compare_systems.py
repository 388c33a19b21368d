"""Score the bundled sample with three metrics, and print the leading system and its interval.

Run it with `python examples/compare_systems.py`.
"""

import gistmark

corpus = gistmark.load(gistmark.sample_folder())
scores = gistmark.score(corpus, metrics=["rouge1:stem=yes", "hrouge2", "js"])
board = scores.leaderboard()
print(board)

best = board.systems[0]
entry = board.of(best, "hrouge2")
print(f"\n{best} leads; its HROUGE-2 is between {entry.low:.3f} and {entry.high:.3f}.")
for metric, signature in scores.signatures.items():
    print(f"{metric}: {signature}")
