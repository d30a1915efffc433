"""The displays: what the referee's screen, the LED board and the hall show.

Lives here: pure functions of (view, now), their letters and digits, and the words they use. Never here: a clock, a
device, the law. `seconds.py` is the one place that decides which second everybody sees and when a picture next differs.
"""
