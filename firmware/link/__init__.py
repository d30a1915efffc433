"""The link: one Unix socket between the service and whoever looks on (the page, ``kaderuhr doctor --watch``).

Here lives how messages go out and commands come in, in both ends, with plain threads and the standard library. What may
never be known here: what a message shows, and what a command does; one thing excepted: a client that goes while it
holds an input lets go of it.

Lines of JSON. From the service:

- ``{"kind": K, ...}``: a message. The newest of each kind is kept for newcomers, and a reader who is behind gets only
  the newest. If the value under the kind's own name is text, it tells messages of one kind apart: ``panel`` ``oled``
  and ``panel`` ``led`` are two. A ``signal`` is kept for nobody and carries its instant, ``at_ns``.
- ``{"kind": "beat"}``: at once, and whenever a second brought nothing else. It tells that the process lives.
- ``{"reply": ID, ...}``: the answer to a command; with ``error``, a sentence, if it was refused.

To the service, at most 4096 bytes a line: ``{"id": ID, "at_ns": INSTANT, ...}``. ``id`` is of the sender's making, 1
to 64 characters, and taken once; ``at_ns`` is when a person wanted it, on CLOCK_MONOTONIC, which all processes of a
machine share. Nobody wants a key pressed that was meant a second ago: older commands are refused, wherever they were
held up. Only letting go (``"active": false``) is never too late.
"""

from firmware.link.client import LinkClient, LinkDown
from firmware.link.commands import KEYS, SENSORS, WATCH, CommandError, Pulse, Push, is_watch, read_command
from firmware.link.lines import Message, Outbox, encode, slot_of
from firmware.link.listening import LinkError, NoPlaceError
from firmware.link.places import found, make_room, places
from firmware.link.server import LinkServer

__all__ = [
    "KEYS",
    "SENSORS",
    "WATCH",
    "CommandError",
    "LinkClient",
    "LinkDown",
    "LinkError",
    "LinkServer",
    "Message",
    "NoPlaceError",
    "Outbox",
    "Pulse",
    "Push",
    "encode",
    "found",
    "is_watch",
    "make_room",
    "places",
    "read_command",
    "slot_of",
]
