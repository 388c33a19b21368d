"""The statistics of a campaign: agreement, rankings, answers to questions, and what metrics add."""
