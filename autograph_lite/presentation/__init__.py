"""How converted code is shown to people: listings, side by side, as a page."""
