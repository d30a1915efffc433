"""The card that hangs beside the box: one A5 page a language, made by `make card`.

Lives here: its texts as data and its layout. Never here: what a key means; that is the console's.
"""
