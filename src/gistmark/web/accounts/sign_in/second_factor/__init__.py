"""A second factor beside the password: codes of an authenticator app, for managers and admins."""
