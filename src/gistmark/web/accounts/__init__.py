"""People and what they may do: accounts, roles, invitations and tokens."""
