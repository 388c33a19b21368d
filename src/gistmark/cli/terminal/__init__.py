"""What the commands share: the options that they take, what they print, and progress."""
