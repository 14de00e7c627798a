"""Where token states come from: a forward pass, averages over contexts, random or given vectors."""
