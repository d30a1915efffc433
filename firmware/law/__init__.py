"""The book's 49 clauses for people: `kaderuhr law`.

Lives here: the texts of every clause in four languages (`*.toml`, our own words), and the pages made of them. The
effects of a clause are worded from `rules.clauses`, what a rulebook changes from the values of `rules.rulebook`; so
neither is written down a second time. Never here: ruling. `README.md` says what each table of the texts is for.
"""
