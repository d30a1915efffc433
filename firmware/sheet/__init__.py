"""The match sheet: what the club gets after a match, to sign, to keep and to count with.

Lives here: a kept match folded again (`history.py`, `visits.py`, `story.py`) into one value (`sheet.py`), its picture
(`timeline.py`), and the four forms it takes (`html.py`, `pdf.py`, `tables.py`). Never here: the journal's file.

Nothing on a sheet is stored anywhere: whatever was taken back or corrected, everything derived follows. Nothing is
imported here, because every start of `kaderuhr` builds the parser in `command.py`.
"""
