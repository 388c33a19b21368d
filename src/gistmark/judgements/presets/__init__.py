"""The protocols that come with Gistmark, one file per family; `catalogue` lists them."""
