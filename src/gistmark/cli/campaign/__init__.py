"""`gistmark campaign`: campaigns from their making to their results."""
