"""Tasks: what annotators hold, draft and hand in."""
