"""The pages on which a campaign is set up: settings, design, checks, practice, plans."""
