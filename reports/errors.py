"""Misuse that only the command line can meet: files, assignments, selections, targets."""

from bounds.errors import Misuse


class BadAssignment(Misuse):
    """A --set is not NAME=VALUE, or names a quantity twice."""


class UnreadableFile(Misuse):
    """A file cannot be opened or is not text."""


class MalformedFile(Misuse):
    """A file is not what its name promises."""


class UnusableConstant(Misuse):
    """A constant was certified on the wrong side, or not at all."""


class BadGrid(Misuse):
    """A grid has no points, too many, or shares a name with --set."""


class EmptySelection(Misuse):
    """Nothing was selected."""


class NothingApplies(Misuse):
    """No statement says anything of what was asked, although it is well put: exit code 3."""


class RefusedTarget(Misuse):
    """Something cannot be written where it was asked for."""


class BadOption(Misuse):
    """Options that cannot be used, or not together."""


class UnusableRun(Misuse):
    """An algorithm that does not exist, or cannot be run with these settings, on this problem or device."""


class UnusableProblem(Misuse):
    """No problem has this name, or none can be made with these arguments or of this file."""
