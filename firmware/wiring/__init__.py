"""Wiring drawings and pin tables, made from the board profiles: `make pictures`, or `python -m firmware.wiring`.

Lives here: the header's 40 places (`header.py`), what a profile joins to them (`joints.py`), the drawing (`drawing.py`,
`symbols.py`), and the pages they go into (`pages.py`). Never here: a circuit's reasons, which are in `hardware/`.

What it writes lies in `hardware/wiring/`, and a test holds it against the profiles.
"""
