"""The command line: one file per verb, each imported only when its verb is used."""
