"""What a user gives on the command line: numbers, grids, files, problems, statements."""
