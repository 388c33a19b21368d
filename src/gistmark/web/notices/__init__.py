"""Notices: reminders to annotators, invitations by e-mail, digests for managers, webhooks."""
