"""A whole study: its options, what is computed in which order, its records, and `Study` itself."""
