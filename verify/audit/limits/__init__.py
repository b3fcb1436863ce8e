"""What a bound becomes in the special cases of its quantities, against what is known of them."""
