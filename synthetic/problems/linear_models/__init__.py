"""What the families of linear models share: the objective, its infimum, its constants."""
