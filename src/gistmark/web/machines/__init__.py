"""Models that judge in a campaign: what they answer to a task, and a run through the API."""
