"""Makes the planted slips, the right implementations and the literal references importable."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "synthetic")]
