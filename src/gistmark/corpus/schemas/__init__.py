"""What each file of a corpus holds: schemas, records read and written by them, and checks."""
