"""Pages beside the report of a study: a plan, a paper, a leaderboard, where summaries come from."""
