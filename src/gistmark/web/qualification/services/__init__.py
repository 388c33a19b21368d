"""What can be done with practice and qualifications; pages and the API go through here."""
