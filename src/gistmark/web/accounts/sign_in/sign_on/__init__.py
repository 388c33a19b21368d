"""Logging in with a provider of OpenID Connect: a university's account, or any other."""
