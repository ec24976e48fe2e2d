. "$SUPPORT/case.sh"
# A virtual environment, and a local package built and installed in it.
mkdir -p proj/mod
echo 'value = 5' >proj/mod/__init__.py
printf 'from setuptools import setup\nsetup(name="mod", version="1", packages=["mod"])\n' >proj/setup.py
works 'python3 -m venv --without-pip --system-site-packages env && . env/bin/activate && python -m pip install -q --no-index --no-build-isolation --disable-pip-version-check ./proj 2>pip.err || { cat pip.err; exit 1; }; cd / && python -c "import mod; print(mod.value)"'
check_out 5
