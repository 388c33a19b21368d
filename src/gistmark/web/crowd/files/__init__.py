"""The files of markets: approvals, reconciling with the visits here, and who took part."""
