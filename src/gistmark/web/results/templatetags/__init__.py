"""How numbers of the dashboard look."""
