"""The configuration: the board's profile and its rulebook, with everything that is wrong in either.

Lives here: reading both as `kaderuhr run` would. Never here: what a key may be.
"""

from firmware.doctor.findings import Finding, Findings, fine, wrong
from firmware.profile import Profile, ProfileErrors, load_profile
from firmware.rulebooks import RulebookErrors, load_rulebook
from firmware.settings import Problem


def configuration(board: str) -> tuple[Profile | None, Findings]:
    """Return the profile, if it can be used, and what there is to say about it and its rulebook."""
    try:
        profile = load_profile(board)
    except ProfileErrors as error:
        return None, tuple(map(_mistake, error.problems))
    found = fine(f"Board {profile.name} ({board}), language {profile.language}.", board=profile.name)
    named = profile.match.rulebook
    if named is None:
        return profile, (found,)
    try:
        rulebook = load_rulebook(named)
    except RulebookErrors as error:
        return profile, (found, *map(_mistake, error.problems))
    return profile, (
        found,
        fine(f"Matches are begun by the rulebook {rulebook.name}.", rulebook=rulebook.name),
    )


def _mistake(problem: Problem) -> Finding:
    """Say a mistake with its remedy apart."""
    whole = str(problem)
    return wrong(
        f"{whole.removesuffix(f'; {problem.right}')}.", problem.right, table=problem.table, key=problem.key
    )
