"""Machine forms of the derivations in the transcription."""
