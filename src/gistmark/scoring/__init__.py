"""Scoring runs: sources, blocks, engines, the cache, and the table of scores."""

from gistmark.scoring.leaderboard import Leaderboard, LeaderboardEntry
from gistmark.scoring.run import score
from gistmark.scoring.scores import Scores
from gistmark.scoring.sources import TextPairs

__all__ = ["Leaderboard", "LeaderboardEntry", "Scores", "TextPairs", "score"]
