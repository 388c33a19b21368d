"""What is stored about people, and how it goes away: exports of it, erasure, retention."""
