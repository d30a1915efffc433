"""The lines of the link: which replaces which, and where they are cut."""

from __future__ import annotations

from firmware.link import Outbox, slot_of
from firmware.link.lines import Splitter


def test_a_part_is_what_stands_under_the_name_of_the_kind() -> None:
    assert slot_of({"kind": "panel", "panel": "oled"}) == ("panel", "oled")
    assert slot_of({"kind": "troubles", "troubles": []}) == ("troubles", "")
    assert slot_of({"kind": "signal", "signal": "zeit"}) is None


def test_an_outbox_keeps_the_order_of_the_newest() -> None:
    outbox = Outbox()
    outbox.put(("a", ""), b"a1")
    outbox.put(None, b"s1")
    outbox.put(("b", ""), b"b1")
    outbox.put(("a", ""), b"a2")
    outbox.put(None, b"s1")
    assert outbox.take() == [b"s1", b"b1", b"a2", b"s1"]
    assert outbox.take() == []


def test_lines_are_cut_wherever_the_bytes_were_parted() -> None:
    data = b"one\n\ntwo\n" + b"x" * 20 + b"\nthree\n"
    for size in range(1, len(data)):
        splitter = Splitter(10)
        got = [line for at in range(0, len(data), size) for line in splitter.feed(data[at : at + size])]
        assert got == [b"one", b"", b"two", None, b"three"], size
