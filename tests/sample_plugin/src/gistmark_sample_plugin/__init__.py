"""A sample plugin for Gistmark."""

VERSION = "1.2.3"
