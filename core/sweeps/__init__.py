"""Many recipes on many corpora, on one machine or a cluster."""
