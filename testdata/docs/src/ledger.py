"""Read postings from CSV and report balances.

A line of the file is a date, an account, an amount and a note. Lines of the
same date and note belong together and must add up to zero.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Iterable, Iterator

CENT = Decimal("0.01")


class Unbalanced(ValueError):
    """Entries that belong together do not add up to zero."""


@dataclass(frozen=True)
class Entry:
    """A change of one account."""

    day: date
    account: str
    amount: Decimal
    note: str = ""

    @classmethod
    def parse(cls, row: list[str], line: int) -> "Entry":
        """Make an entry of a row; say the line in the error if that fails."""
        try:
            day, account, amount, *rest = row
            return cls(date.fromisoformat(day), account, Decimal(amount).quantize(CENT), " ".join(rest))
        except (ValueError, InvalidOperation) as err:
            raise ValueError(f"line {line}: {err}") from err


@dataclass
class Ledger:
    """Entries and the balances that they give."""

    entries: list[Entry] = field(default_factory=list)

    def add(self, entries: Iterable[Entry]) -> None:
        """Add entries that belong together.

        Raises Unbalanced, and adds none, if they do not add up to zero.
        """
        batch = list(entries)
        rest = sum((e.amount for e in batch), Decimal(0))
        if rest:
            raise Unbalanced(f"{batch[0].day}: {rest} is left over")
        self.entries.extend(batch)

    def balances(self, until: date | None = None) -> dict[str, Decimal]:
        """Return the balance of each account, by name."""
        sums: dict[str, Decimal] = defaultdict(Decimal)
        for entry in self.entries:
            if until is None or entry.day <= until:
                sums[entry.account] += entry.amount
        return dict(sorted(sums.items()))


def read(lines: Iterable[str]) -> Iterator[list[Entry]]:
    """Yield the entries of a file, those that belong together in one list."""
    group: list[Entry] = []
    for number, row in enumerate(csv.reader(lines), start=1):
        if not row or row[0].startswith("#"):
            continue
        entry = Entry.parse(row, number)
        if group and (entry.day, entry.note) != (group[0].day, group[0].note):
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=argparse.FileType("r", encoding="utf-8"))
    parser.add_argument("--until", type=date.fromisoformat)
    args = parser.parse_args(argv)

    ledger = Ledger()
    try:
        for group in read(args.file):
            ledger.add(group)
    except ValueError as err:
        print(f"{args.file.name}: {err}", file=sys.stderr)
        return 1
    for account, balance in ledger.balances(args.until).items():
        print(f"{account:<30} {balance:>14}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
