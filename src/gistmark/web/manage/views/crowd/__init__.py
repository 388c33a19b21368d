"""The pages about crowd markets: studies, what participants did, and the market's files."""
