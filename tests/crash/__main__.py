"""`make crash`: all three harnesses, one after the other; exit status 1 where one of them finds something."""

import sys

from tests.crash import kills, soak, torn

if __name__ == "__main__":
    failed = [harness.__name__ for harness in (torn, kills, soak) if harness.main()]
    if failed:
        sys.stderr.write(f"found something: {', '.join(failed)}\n")
    raise SystemExit(bool(failed))
