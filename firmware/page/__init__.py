"""The page: the table, the box and its pictures in a browser, as a process of its own (``kaderuhr page``).

Here lives HTTP: who may ask, what a browser may say, and the files it gets. What may never be known here: the law, the
view and the pins; all it has comes over the link, and goes there. Only what is imported when it runs is heavy.
"""

from firmware.page.serve import main, run_page

__all__ = ["main", "run_page"]
