"""`gistmark campaign`: campaigns from set-up to results."""
