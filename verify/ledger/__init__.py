"""What is wrong in the printed mathematics, with evidence that runs again."""
