"""The manager's pages about what has come in."""
