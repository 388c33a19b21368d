"""Where the differences between ratings come from: crossed mixed-effects models."""
