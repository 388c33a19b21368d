"""Operations on the work of a campaign: tasks, practice, submissions and decisions."""
