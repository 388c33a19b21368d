"""What has come in: progress, quality, agreement, and the export."""
