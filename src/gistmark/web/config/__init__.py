"""How the platform is set up: settings, addresses, headers, and the data folder."""
