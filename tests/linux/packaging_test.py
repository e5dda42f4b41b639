#!/usr/bin/env python3
"""Installs what a Linux machine needs into a folder and looks at it.

    packaging_test.py CMAKE BUILD_FOLDER
"""
import configparser
import pathlib
import subprocess
import sys
import tempfile


def main():
    cmake, build = sys.argv[1:]
    wrong = []

    def expect(true, what):
        print(("ok    " if true else "WRONG ") + what)
        if not true:
            wrong.append(what)

    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder)
        subprocess.run([cmake, "--install", build, "--prefix", folder, "--component", "linux"], check=True, stdout=subprocess.DEVNULL)
        said = subprocess.run([prefix / "bin/tactus", "--version"], capture_output=True, text=True).stdout
        expect(said.startswith("tactus "), f"bin/tactus runs: {said.strip()}")

        rules = (prefix / "lib/udev/rules.d/60-tactus.rules").read_text().splitlines()
        for rule in (r for r in rules if r and not r.startswith("#")):
            keys = [part.strip() for part in rule.split(",")]
            expect(all("=" in key and key.count('"') == 2 for key in keys), f"a rule of whole keys: {rule[:60]}")
            expect(any("==" in key for key in keys) and any("==" not in key for key in keys), "  it matches, and it does something")

        unit = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
        unit.optionxform = str
        unit.read_string((prefix / "lib/systemd/system/tactus.service").read_text())
        service = unit["Service"]
        expect("@" not in service["ExecStart"] and "/bin/tactus serve" in service["ExecStart"], service["ExecStart"])
        expect(int(service["LimitRTPRIO"]) >= 80 and service["LimitMEMLOCK"] == "infinity", "limits of the unit")

        limits = (prefix / "share/tactus/60-tactus.conf").read_text()
        expect("rtprio 90" in limits and "memlock unlimited" in limits, "limits for log-ins")

        # The prefix's own scenes, not the source tree's, which is there too: one that is only here shows which are read.
        scenes = prefix / "share/tactus/scenes"
        (scenes / "only_here.toml").write_text((scenes / "wall_tap.toml").read_text())
        said = subprocess.run([prefix / "bin/tactus", "scene", "list"], capture_output=True, text=True).stdout
        expect("only_here" in said and "door" in said, f"scenes are found beside the program: {said.count(chr(10))}")
        said = subprocess.run([prefix / "bin/tactus", "test", "only_here"], capture_output=True, text=True).stdout
        expect(said.startswith("ok "), f"and run from there: {said.strip()}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
