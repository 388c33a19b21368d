"""Where the platform keeps things: the data folder, the database, its secrets and backups."""
