"""The commands that run the platform: its server, people, tasks, notices and checks."""
