"""The Shannon game: how much better a language model foresees a document after its summary.

Relatives of BLANC that its authors published later: Egan, Vasilyev and Bohannon, "Play the Shannon
Game With Language Models: A Human-Free Approach to Summary Evaluation" (2021).
"""

from gistmark.metrics.shannon.scores import BlancShannon, InfoDiff, Shannon

__all__ = ["BlancShannon", "InfoDiff", "Shannon"]
