"""Known outcomes, the file that keeps them, and the identity of the search they belong to."""
