"""`kaderuhr doctor`: what is wrong with a box and what to do about it, in sentences.

Lives here: looking, and saying what was seen. Never here: repairing anything, a word of the law.

A probe is a pure function from the world (`world.py`: a root folder and a few questions) and a board profile to
findings (`findings.py`). Tests give it a folder with the files of a Raspberry Pi, so it works off one too. `report.py`
asks all of them. `watch.py` shows keys and sensors live, `bench/` measures what can only be measured on the box;
`command.py` has the arguments.
"""
