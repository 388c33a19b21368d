"""Files before they are checked: text, JSON, and tables of CSV, JSONL and Parquet."""
