"""What can be done with a campaign; pages, the API and the command line all go through here."""
