"""Tasks: what annotators claim, draft and submit, and what managers decide on it."""
