"""The data sets that scikit-learn carries with it: real, small, and there without a download."""

from types import ModuleType

from synthetic.data.tables import Table, table
from synthetic.errors import BadValue, MissingExtra

CLASSIFICATION = ("breast_cancer", "digits", "wine")
REGRESSION = ("diabetes",)
NAMES = (*CLASSIFICATION, *REGRESSION)


def bundled(name: str) -> Table:
    """The raw columns, as they are stored."""
    if name not in NAMES:
        raise BadValue(
            asked=f"data set {name!r}",
            failed="no bundled data set has this name",
            found=repr(name),
            needed="one of " + ", ".join(NAMES),
            change="use one of these names, or a file",
        )
    options = {"scaled": False} if name == "diabetes" else {}
    loaded = getattr(_datasets(), f"load_{name}")(**options)
    classes = tuple(str(word) for word in loaded.target_names) if name in CLASSIFICATION else None
    return table(name, loaded.data, loaded.target, classes)


def _datasets() -> ModuleType:
    try:
        from sklearn import datasets
    except ImportError as error:
        raise MissingExtra(
            asked="bundled data set",
            failed="scikit-learn is not installed",
            found=str(error),
            needed="the extra `data`",
            change="pip install 'fedbounds[data]'",
        ) from error
    module: ModuleType = datasets
    return module
