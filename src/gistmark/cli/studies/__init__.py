"""The commands about studies: planning one, choosing its documents, running it, and papers."""
