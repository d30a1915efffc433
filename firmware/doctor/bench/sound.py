"""The sound: whether the call is heard, at once and whole.

Lives here: what an ear can tell. Never here: what a microphone could; the time from the call to the first tone is
measured with a cable from the loudspeaker to a recorder.
"""

import time
from collections.abc import Callable
from typing import Final

from drivers.ports import DeviceError, Speaker
from firmware.doctor.bench.hands import PASSED_OVER, Hands
from firmware.doctor.findings import Findings, fine, wrong
from firmware.profile import Profile

STARTED_WITHIN_S: Final = 0.15


def check(
    profile: Profile,
    hands: Hands,
    *,
    open_speaker: Callable[[str], Speaker] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Findings:
    """Play the call and ask."""
    from drivers.sound import open_speaker as open_card

    word = profile.sound.word
    if not hands.ready(f"Sound. Leave the box silent for a minute, then listen: it will say {word.upper()}."):
        return (PASSED_OVER,)
    try:
        speaker = (open_speaker or open_card)(profile.sound.card)
        begun = clock()
        speaker.play(word)
        started_s = clock() - begun
        heard = hands.agree(f"Did you hear {word.upper()}, from its first sound on?")
        speaker.close()
    except DeviceError as error:
        return (wrong(f"{error.device}: {error.what}.", error.remedy),)
    if not heard:
        now = "check plug and volume (alsamixer), and take a USB card instead of HDMI, which swallows beginnings"
        return (wrong("The call was not heard whole.", now),)
    says = f"The call was heard; its player was started in {started_s * 1000:.0f} ms."
    if started_s > STARTED_WITHIN_S:
        return (wrong(says, "that is too late: look what else keeps the Pi busy (top)", started_s=started_s),)
    return (fine(says, started_s=started_s),)
