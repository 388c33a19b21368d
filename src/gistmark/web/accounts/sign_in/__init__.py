"""Letting people in: passwords, second factors, providers, links, tokens, and the first set-up."""
