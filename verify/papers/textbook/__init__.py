"""What is run on the textbook controls."""
