"""Metrics on vectors: BERTScore, MoverScore, cosines of texts, and metrics on word vectors."""
