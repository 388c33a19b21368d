"""What the statistics start from: judgements as columns, measures, weights, careful arithmetic."""
