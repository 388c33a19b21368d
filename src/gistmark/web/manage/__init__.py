"""The managers' pages: campaigns, their settings, checks and people, what has come in, and the
platform's invitations.
"""
