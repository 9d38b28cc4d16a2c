#!/usr/bin/env python3
"""notebooks.py FOLDER: runs the code of each notebook in FOLDER, cell by cell in one namespace, as Jupyter would. Those that need a network
which is not here are left out."""

import json
import os
import pathlib
import sys


def run(path):
    namespace = {}
    for number, cell in enumerate(json.loads(path.read_text())["cells"]):
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"], f"{path.name}: outputs are kept out of the repository"
        exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), namespace)  # noqa: S102


for notebook in sorted(pathlib.Path(sys.argv[1]).glob("*.ipynb")):
    if "MICRORT_MODEL_DATA" in notebook.read_text() and not os.path.isdir(os.environ["MICRORT_MODEL_DATA"]):
        print(f"{notebook.name}: skipped, no {os.environ['MICRORT_MODEL_DATA']}")
        continue
    run(notebook)
    print(f"{notebook.name}: ok")
