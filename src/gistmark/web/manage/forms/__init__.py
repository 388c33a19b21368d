"""The forms of the pages. They check what is typed; services decide what may be done."""
