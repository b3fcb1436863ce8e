"""Many cells of many statements over ranges of parameters and problems, under one error level."""
