"""What can be done with tasks; pages, the API and the command line all go through here."""
