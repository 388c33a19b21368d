"""Pages about what is stored: a person's own, and those of admins."""
