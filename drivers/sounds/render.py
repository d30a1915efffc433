"""Make every sound of the box: the spoken call in four languages, and the tones.

Run by hand where Debian's espeak-ng and sox are installed: ``python drivers/sounds/render.py`` writes the WAV files and
the table in README.md beside it. The files are kept in the repository; nothing runs this on a board.

Words come from espeak-ng, trimmed and made loud by sox; tones are computed here. All is 22 050 Hz, mono, 16 bit.
"""

from __future__ import annotations

import math
import struct
import subprocess
import sys
import tempfile
import wave
from dataclasses import dataclass
from pathlib import Path
from typing import Final

RATE_HZ: Final = 22_050
PEAK: Final = 0.89
"""-1 dB of full scale: room for what a resampler adds."""
TONE_PEAK: Final = 0.45
"""A steady tone carries more than a word of the same peak: so both have about the same RMS."""
KEY_PEAK: Final = 0.25
"""A click for every key must not tire the players."""
HERE: Final = Path(__file__).parent
TABLE: Final = "<!-- written by render.py -->"

WORDS: Final = {
    "zeit": ("de", "Zeit!"),
    "tijd": ("nl", "Tijd!"),
    "temps": ("fr", "Temps!"),
    "time": ("en-gb", "Time!"),
}
"""The call (ZEI-01), as the referee says it: file, espeak-ng voice, word."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tone:
    """A sine with its third harmonic, so that small loudspeakers give it; 0 Hz is a rest. ``fade``: it dies away."""

    hz: float
    length_s: float
    fade: bool = False


TONES: Final = {
    # Falling: it is over. No other sound falls.
    "expired": (
        Tone(hz=988, length_s=0.22),
        Tone(hz=0, length_s=0.03),
        Tone(hz=494, length_s=0.5, fade=True),
    ),
    # Low and rough, repeated: something is wrong.
    "fault": (Tone(hz=220, length_s=0.14), Tone(hz=0, length_s=0.05), Tone(hz=220, length_s=0.22)),
    # Rising: won. The match rises further than the game.
    "game": (
        Tone(hz=523, length_s=0.12),
        Tone(hz=659, length_s=0.12),
        Tone(hz=784, length_s=0.36, fade=True),
    ),
    "match": (
        Tone(hz=523, length_s=0.12),
        Tone(hz=659, length_s=0.12),
        Tone(hz=784, length_s=0.12),
        Tone(hz=1047, length_s=0.6, fade=True),
    ),
    "key": (Tone(hz=2_000, length_s=0.01, fade=True),),
    "silence": (Tone(hz=0, length_s=0.05),),
}

RAMP_S: Final = 0.002
"""Every tone begins and ends within this time: a step would click."""


def samples(tone: Tone) -> list[float]:
    """Return the tone's samples between -1 and 1."""
    count = round(tone.length_s * RATE_HZ)
    ramp = max(1, round(RAMP_S * RATE_HZ))
    made = []
    for index in range(count):
        angle = 2 * math.pi * tone.hz * index / RATE_HZ
        edge = min(1.0, index / ramp, (count - 1 - index) / ramp)
        decay = math.exp(-4 * index / count) if tone.fade else 1.0
        made.append(edge * decay * (math.sin(angle) + math.sin(3 * angle) / 3))
    return made


def write_tones(path: Path, tones: tuple[Tone, ...], peak: float) -> None:
    """Write tones one after the other, at this peak."""
    made = [sample for tone in tones for sample in samples(tone)]
    loudest = max(abs(sample) for sample in made) or 1.0
    scale = peak * 32_767 / loudest
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(b"".join(struct.pack("<h", round(sample * scale)) for sample in made))


def write_word(path: Path, voice: str, word: str) -> None:
    """Speak, cut the silence at both ends, even out the loudness, bring to the common peak."""
    with tempfile.TemporaryDirectory() as folder:
        spoken = Path(folder, "spoken.wav")
        subprocess.run(
            ["espeak-ng", "-v", voice, "-s", "130", "-p", "45", "-a", "180", "-w", str(spoken), word],
            check=True,
        )
        cut = ["silence", "1", "0.005", "1%"]
        subprocess.run(
            [
                *("sox", "-D", str(spoken), "-r", str(RATE_HZ), "-c", "1", "-b", "16", str(path)),
                *(*cut, "reverse", *cut, "fade", "t", "0.01", "reverse", "fade", "t", "0.002"),
                # Quiet parts 10 dB up, loud ones held: the hall is noisy and the word is short.
                *("compand", "0.002,0.05", "6:-60,-60,-40,-22,-20,-8,0,-3", "-6", "-20", "0.002"),
                *("norm", f"{20 * math.log10(PEAK):.2f}"),
            ],
            check=True,
        )


def measure(path: Path) -> str:
    """Return the file's row of the table in README.md."""
    with wave.open(str(path), "rb") as file:
        count = file.getnframes()
        values = struct.unpack(f"<{count}h", file.readframes(count))
    peak = max(abs(value) for value in values) / 32_768
    if peak == 0:
        return f"| `{path.name}` | {count / RATE_HZ * 1000:.0f} | - | - | - |"
    rms = math.sqrt(sum(value * value for value in values) / count) / 32_768
    first = next(index for index, value in enumerate(values) if abs(value) > 0.01 * 32_768)
    return (
        f"| `{path.name}` | {count / RATE_HZ * 1000:.0f} | {20 * math.log10(peak):.1f} | {20 * math.log10(rms):.1f} "
        f"| {first / RATE_HZ * 1000:.1f} |"
    )


def main() -> None:
    """Write all sounds and the table."""
    for name, (voice, word) in WORDS.items():
        write_word(HERE / f"{name}.wav", voice, word)
    for name, tones in TONES.items():
        write_tones(HERE / f"{name}.wav", tones, KEY_PEAK if name == "key" else TONE_PEAK)
    rows = [
        "| file | length, ms | peak, dB | RMS, dB | silence before, ms |",
        "| --- | --- | --- | --- | --- |",
        *(measure(HERE / f"{name}.wav") for name in (*WORDS, *TONES)),
    ]
    readme = HERE / "README.md"
    before, _, _ = readme.read_text(encoding="utf-8").partition(TABLE)
    readme.write_text(before + TABLE + "\n\n" + "\n".join(rows) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
