"""pairs.jsonl (train split) -> weights.json; with the folder of the EPITOME files also measured.json.

python tools/mechanisms/fit.py [EPITOME_DIR]
"""

import sys
from pathlib import Path

from empathic import files
from empathic.metrics import linear
from empathic.metrics.linear import Linear
from empathic.metrics.mechanisms.measuring import measure
from empathic.metrics.mechanisms.pairs import read_pairs
from empathic.metrics.mechanisms.reporting import MEASURED
from empathic.metrics.mechanisms.training import fit_embedded


def main(arguments: list[str]) -> None:
    fitted = fit_embedded(read_pairs("train"))
    linear.write(MEASURED.with_name("weights.json"), fitted)
    found = measure({each.name: Linear(each) for each in fitted}, Path(arguments[0]) if arguments else None)
    if arguments:
        files.write_json(MEASURED, found)
    for each in found:
        print(each.label, each.pairs, each.epitome, each.context_change, each.context_flipped)


if __name__ == "__main__":
    main(sys.argv[1:])
