"""Programs that work as annotators do, through the API: simulated people, and models that judge."""
