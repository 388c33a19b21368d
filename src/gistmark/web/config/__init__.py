"""How the platform is set up: settings, addresses, the server, and the data folder."""
