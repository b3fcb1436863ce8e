"""Makes the planted defects importable as `planted`, and the instances computed by hand as `literal`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
