"""The dashboard of a campaign: how far it is, how fast it goes, and its latest events."""
