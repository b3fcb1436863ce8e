"""A target MODULE:FUNCTION by name, imported as Python imports it; no text that was read is run."""

import sys
from typing import Any

from synthetic.errors import BadValue, BrokenPackage, nearest
from synthetic.outside.calls import describe, imported
from verify.conformance.frameworks import PREFIXES, adapter


def load(target: str) -> Any:
    """The function or Algorithm of this name, from the current folder, a package, or the adapters here."""
    if target.partition(":")[0] in PREFIXES:
        return adapter(target)
    module_name, colon, member = target.partition(":")
    if module_name.endswith(".py"):
        module = module_name.removesuffix(".py").replace("/", ".")
        raise _unknown(target, "a module is named without .py", target, f"{module}:{member or 'FUNCTION'}")
    names = [*module_name.split("."), member]
    if not colon or not all(name.isidentifier() for name in names):
        raise _unknown(target, "it is not MODULE:FUNCTION", target, "a name such as my_code:my_round")
    module = _imported(target, module_name)
    if not hasattr(module, member):
        known = [name for name, own in vars(module).items() if callable(own) and not name.startswith("_")]
        near = f"; did you mean {nearest(member, known)}?" if known else ""
        raise _unknown(target, f"{module_name} has no {member}{near}", member, "a function of the module")
    return getattr(module, member)


def _imported(target: str, name: str) -> Any:
    if "" not in sys.path:  # a console script does not look into the current folder
        sys.path.insert(0, "")
    try:
        return imported(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise _broken(target, name, error) from error
        where = "a module of the current folder or of an installed package"
        raise _unknown(target, f"there is no module {error.name}", name, where) from error
    except (Exception, SystemExit) as error:
        raise _broken(target, name, error) from error


def _broken(target: str, name: str, error: BaseException) -> BrokenPackage:
    return BrokenPackage(
        asked=f"conform {target}",
        failed=f"{name} cannot be imported",
        found=describe(error),
        needed="a module that imports",
        change="mend it",
    )


def _unknown(target: str, failed: str, found: str, needed: str) -> BadValue:
    return BadValue(
        asked=f"conform {target}", failed=failed, found=found, needed=needed, change="correct the name"
    )
