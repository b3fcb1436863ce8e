"""What quadratic clients share: data, spectra, a local pass in closed form, constants."""
