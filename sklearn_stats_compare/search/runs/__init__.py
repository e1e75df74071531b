"""How candidates are evaluated: whole, by blocks, as a race, or as an extension."""
