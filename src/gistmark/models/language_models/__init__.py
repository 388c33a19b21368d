"""Language models: causal and masked ones that predict tokens, tuned ones, and ones that write."""
