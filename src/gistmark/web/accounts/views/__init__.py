"""The pages about people: logging in, one's account, inviting, and the first set-up."""
