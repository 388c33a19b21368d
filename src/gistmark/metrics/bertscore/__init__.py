"""BERTScore: how well the tokens of two texts match in the eyes of an encoder."""

from gistmark.metrics.bertscore.metric import BertScore, BertScoreOptions

__all__ = ["BertScore", "BertScoreOptions"]
