"""Kaderuhr's hardware abstraction layer: what bytes and pins mean.

Here live the ports (small Protocols), the devices behind them, their fakes for desk and tests, the filter that turns
edges into presses, and the worker that keeps a slow device off the fast path.

What may never be known here: the game. This package imports neither ``rules`` nor ``firmware``, knows no ball, turn or
referee, and owns no match time: instants come from outside or off a pin, as integer nanoseconds of a monotonic clock.

Every driver says what the hardware did wrong as :class:`drivers.ports.DeviceError` and nothing else; a ``ValueError``
means that the program called it wrongly. Read ``drivers/README.md`` next, then ``ports.py``.
"""
