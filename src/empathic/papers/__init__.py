"""A paper's released data become its tables again, cell by cell: published, recomputed, match, findings.

One module per paper with `reproduce(folder) -> Reproduction`; published values live in data files beside it. This
package stands with `pipeline` and `cli` above the rooms and may use any of them; no room knows it.
"""

from __future__ import annotations

from empathic.papers.checks import Check, Finding, Reproduction, cell_matches

__all__ = ["Check", "Finding", "Reproduction", "cell_matches"]
