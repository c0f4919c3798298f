"""The parts of the static site, which `build.py` puts together."""
