"""Tasks: the items to judge, who may do which, what the browser gets, practice and previews."""
