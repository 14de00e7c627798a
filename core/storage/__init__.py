"""What is kept on disk and in memory: forward passes, tables, word vectors, downloads."""
