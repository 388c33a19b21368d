"""Practice and qualification: what annotators pass before the first task of a campaign."""
