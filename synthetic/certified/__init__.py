"""Numbers with a certificate: balls, enclosures, rationals, and the facts that problems state."""
