"""How work is done: files written whole, repeatable chance, compiled functions, cancellation."""
