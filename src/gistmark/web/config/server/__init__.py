"""Serving the platform: gunicorn, deadlines of requests, work beside them, and the log."""
