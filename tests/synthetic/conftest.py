"""Makes the literal references importable as `reference.<algorithm>`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
