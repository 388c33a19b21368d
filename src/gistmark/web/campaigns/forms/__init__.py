"""The forms of the manager's pages. They check what is typed; services decide what may be done."""
