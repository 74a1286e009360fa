"""`python -m empathic` is `empathic`."""

import sys

from empathic.cli import main

sys.exit(main())
