"""What environment variables say: reading them, the mail server, the OpenID Connect provider."""
