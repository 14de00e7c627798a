"""What the product withstands: random campaigns, larger than the suite has time for.

``make withstand`` runs all of them, bounded in count and time, and prints a table; the suite runs a short
form of each. A campaign never stops at the first failure: it counts, and keeps what failed.
"""
