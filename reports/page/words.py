"""What the words of the page mean, for a reader who meets it first; docs/glossary.md has all of them."""

WORDS = (
    ("printed, amended", "The printed form is the paper's own statement; the amended form corrects it."),
    ("refuted", "The printed form has a counterexample, which the page shows."),
    ("vacuous", "Only trivial problems meet the hypotheses, so that the statement says nothing."),
    ("uninformative", "The bound is never below what is known without it."),
    ("proved", "A checker of exact arithmetic accepts every step of a proof, for all sizes."),
    ("unrefuted", "No counterexample was found; the sentence names how many runs or instances were tried."),
    ("unchecked", "Nothing in this record tests the statement; many are definitions, which claim nothing."),
    ("run, cell", "A cell is one experiment: an algorithm on a problem whose constants are known."),
    ("instance", "An instance is one set of vectors or functions on which a lemma is evaluated."),
    ("refused", "A cell is refused if its problem or its privacy does not meet what the statement asks for."),
    ("attains, reaches 85%", "The sentence compares the measured side with the bound; 100% attains it."),
    ("finding", "A finding is a defect of the printed mathematics. Its class is the bold word before it."),
    ("proof broken", "The statement is not refuted, but a step of its printed proof does not follow."),
    ("inconsistent", "Two places of the paper, or two units, disagree."),
    ("loose", "The paper's own argument gives a better bound."),
    ("interpretation", "The verdict depends on how an ambiguous place is read."),
    ("reading", "The reading is how a silent or ambiguous place of the paper is understood here."),
    ("witness", "A witness is a counterexample with its numbers, which a command computes again."),
    ("locator", "A locator, such as A.thm1, names a place in our transcription of a paper."),
    ("error level", "The error level bounds the probability that any verdict of this run is wrong."),
)
