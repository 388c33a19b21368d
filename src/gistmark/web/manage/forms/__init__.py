"""The larger forms of the pages; small ones stand beside their page.

They check what is typed; services decide what may be done.
"""
