"""What the platform sends to the outside, kept until it has arrived: e-mail and webhooks."""
