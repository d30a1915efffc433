"""``python -m firmware.page`` is ``kaderuhr page``."""

import sys

from firmware.page.serve import main

sys.exit(main())
