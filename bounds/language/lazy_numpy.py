"""NumPy for the papers' files, loaded when one of their functions first computes with it.

Only statements on actual vectors compute; whoever lists or shows statements need not wait for it: its import
costs a tenth of a second, a quarter of what `fedbounds list` takes beyond sympy.
"""

from typing import TYPE_CHECKING, Any

__all__ = ["NDArray", "np"]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:

    class _NumPy:
        def __getattr__(self, name: str) -> Any:
            import numpy

            found = getattr(numpy, name)
            setattr(self, name, found)  # asked once: from here on the attribute is the instance's own
            return found

    class NDArray:
        """For annotations, which only a type checker reads."""

        def __class_getitem__(cls, _: Any) -> Any:
            return Any

    np = _NumPy()
