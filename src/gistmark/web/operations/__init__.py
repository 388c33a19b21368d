"""Running the platform for others: is it set up safely, what is out of date, how is it doing."""
