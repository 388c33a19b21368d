"""The REST API: what the pages do, for programs, with tokens."""
