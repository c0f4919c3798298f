"""`rejoin compare`: run the same histories under two readings, or a reading and a rule file."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from rejoin_conformance.campaigns.comparing.compare import compare as compared
from rejoin_conformance.campaigns.comparing.compare import smallest_histories
from rejoin_conformance.campaigns.comparing.measure import Comparison
from rejoin_conformance.campaigns.findings.law_findings import refuse_other_files, write_smallest
from rejoin_conformance.campaigns.kept.store import COMPARE
from rejoin_conformance.campaigns.plan import known_profile, known_side
from rejoin_conformance.command_line.choices import Place, Shown, reading_option, seed_option
from rejoin_conformance.command_line.compare_page import page_of
from rejoin_conformance.command_line.console import Out, write_text
from rejoin_conformance.command_line.options import FOLDER, again, command, written
from rejoin_conformance.command_line.untried import count_untried
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.document import Block, Facts, Text
from rejoin_conformance.kit.json_types import digest_of
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.readings.in_force import between
from rejoin_conformance.readings.reach import Reach
from rejoin_conformance.reports.comparison import (
    comparison_blocks,
    law_stories,
    moved_vectors,
    stories,
    written_block,
)


@frozen(kw_only=True)
class Compare:
    """Two sides, and the histories to compare them on."""

    system: System = arg()
    sides: tuple[str, ...] = arg("[[A] B]", ())
    reading: str | None = reading_option("Reading or rule file to start from: A.")
    against: str | None = opt("Reading or rule file to compare with: B.", None, metavar="READING")
    histories: int = opt("Number of histories.", 2000, least=1)
    seed: int = seed_option()
    profile: str = opt("Profile of the histories.", "default")
    no_samples: bool = opt(
        "Do not search for histories to which a hardly reached choice could matter.", default=False
    )
    shown: Shown
    directory: Path | None = opt(
        "Keep the blocks and every difference in this folder, and resume from it.",
        None,
        form=FOLDER,
        shown="keep nothing",
    )
    place: Place
    output: Path | None = written(
        "Also write one page on all that the change moves: HTML, or Markdown for a name in .md."
    )
    out: Out

    @property
    def found(self) -> Path:
        """Return the folder for the smallest histories: in the folder of the comparison, if any."""
        return (self.directory or Path()) / "found"

    def named(self) -> tuple[str | None, str]:
        """Return the names of both sides; None for the default reading."""
        *first, second = self.sides[-2:] if self.sides else (self.reading, self.against)
        twice = self.sides and (self.reading or self.against)
        if second is None or twice or len(self.sides) > 2:
            raise click.UsageError("name two readings: SYSTEM A B, or --against B")
        return (first[0] if first else None), second


@command(Compare, "compare")
def compare(options: Compare) -> int:
    """Compare the results of two readings on the same histories.

    A READING is a name (document), a name with some choice points switched
    (document+replay_cutoff=false), or a rule file (rule.py). A rule file is Python code that
    defines READING, or OVERRIDES of functions of the reference, or both. The command runs this
    code, so use only rule files that you trust. It prints how often each overridden function was
    called, and how often its answer differed from the original's.

    The command compares three aspects of the observable results: held (the data, members or files
    that each party has), decided (the result of each step: merged, ignored, refused or classified)
    and stored (the data that others can fetch). Caches and law verdicts are not compared. In the
    output, a is the side --reading, and b is the side --against.

    For each choice point and overridden function, the command prints in how many histories it was
    consulted, and in how many it could matter. If these are fewer than 1 %, it searches all
    profiles for others, unless you give --no-samples. docs/try-a-rule.md explains the output.

    If the readings differ in several choice points, the command also switches each one alone: it
    runs a with only this choice of b. "only together" counts histories that differ although no
    single choice point makes a difference. "cancelled out" counts histories that do not differ
    although a single choice point does. For each choice point that makes a difference, the command
    shrinks one history and prints its events. The result depends only on the readings, profile,
    seed and number of histories.

    For each law that breaks on one side alone, it shrinks a history too. It writes these histories
    to found/, and prints the command that shows their steps on both sides. --summary prints only
    the tables, and shrinks nothing.

    A difference is a result, not a failure: the exit code is 0. If nothing called a function of the
    rule file, it is 3.

    With --output, the command also writes one page: the vectors that move by clause, the laws, the
    histories, and the documents' own examples on both sides. As Markdown it fits into a comment on
    a pull request, with at most --limit vectors, clauses, histories and examples. The default of
    2,000 histories can take many minutes: begin with --histories 50.

    With --directory, the command keeps what it has measured, and the table `differences` with both
    sides of each history that differs; see docs/spark.md.

    For config merge, the command also prints what the histories cost on each side. The window N is
    a choice point: document+window=7 replaces the N of every history.

    \b
    Examples:
      rejoin compare config-merge document libsession
      rejoin compare config-merge --against my_rule.py --histories 50 --output moved.html
      rejoin compare config-merge --against document+replay_cutoff=false --profile partitioned
      rejoin compare conflict-detection --reading repaired --against literal --histories 20000
      rejoin compare history-merge --against my_rule.py --in-process --histories 200
    """
    system = options.system
    first, second = options.named()
    comparison = Comparison(
        system=system.name,
        a=known_side(system, first or system.default_reading),
        b=known_side(system, second),
        profile=known_profile(system, options.profile),
        seed=options.seed,
        histories=options.histories,
    )
    sides = between(comparison.a, comparison.b, system)
    if options.output is not None and options.output.suffix not in {".html", ".md"}:
        raise click.UsageError(f"--output: {options.output} does not end in .html or .md")
    if not sides.points:
        raise click.UsageError(f"{comparison.a.name} and {comparison.b.name} are the same reading")
    refuse_other_files(options.found)
    plan, folder, shrink = comparison.to_json(), options.directory, not options.shown.summary
    keeping = None if folder is None else (folder, COMPARE, plan)
    with options.place.working(options.out, f"compare {system.name}", keeping) as place:
        report = compared(comparison, place, shrink=shrink, sample=not options.no_samples)
    readings = f"--reading {comparison.a.argument} --against {comparison.b.argument}"
    if smallest := [*smallest_histories(comparison, report)]:
        name = f"compared-{digest_of(plan)[:8]}"
        path = shlex.quote(str(write_smallest(options.found, system, name, smallest)))
        report["show"] = f"rejoin show {path} {readings}"
    elsewhere: Any = report["elsewhere"]
    if elsewhere:
        more = f"--profile {elsewhere[0]['profile']} --histories {comparison.histories}"
        report["next"] = f"rejoin compare {system.name} {readings} {more}"
    written: list[Block] = []
    if options.output is not None:
        page = page_of(comparison, report, again(), options.out)
        short = options.output.suffix == ".md"
        text = page.markdown(options.shown.limit) if short else page.html()
        write_text(options.output, text)
        written = [
            Facts([*page.counts()]),
            *options.shown.of([*moved_vectors(page.vectors)], "vector"),
            Text(f"wrote {options.output}: {len(text):,} characters"),
        ]
    options.out.tell(
        lambda: report,
        lambda: [
            *comparison_blocks(report, system),
            *options.shown.of([*stories(report), *law_stories(report)], "example"),
            *written_block(report),
            *written,
        ],
    )
    rows: Any = report["points"]
    untried = [row["point"] for row in rows if row["overridden"] and not row["consulted"]]
    left_out = 0
    for side, one in ((comparison.b, sides.right), (comparison.a, sides.left)):
        here = {point: Reach() for point in untried if point in one.overrides}
        left_out += count_untried(here, side, system)
    return Judged(asked=comparison.histories, left_out=left_out).exit_code
