"""The REST API: what the pages do, for programs with tokens, and for the page of a task."""
