"""What a problem and a start are certified to have, under the names of a paper's quantities."""
