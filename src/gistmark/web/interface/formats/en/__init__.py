"""English dates: the day before the month, as everywhere on these pages."""
