#!/usr/bin/env bash
# Builds the extension with a sanitizer and runs tests on it: tools/sanitize.sh SANITIZERS RUNTIME_LIBRARY TESTS...
set -euo pipefail
cd "$(dirname "$0")/.."
sanitizers=$1 runtime=$2
shift 2
build=build/sanitize-${sanitizers%%,*}
bin=$PWD/.venv/bin

"$bin/cmake" -G Ninja -S . -B "$build" -DCMAKE_MAKE_PROGRAM="$bin/ninja" -DTABLIER_PYTHON=ON \
  -DPython_EXECUTABLE="$bin/python" -DTABLIER_SANITIZE="$sanitizers" > "$build.log" 2>&1 || { cat "$build.log"; exit 1; }
build() { "$bin/cmake" --build "$build" "$@" >> "$build.log" 2>&1 || { cat "$build.log"; exit 1; }; }
build
rm -rf "$build/package"
"$bin/cmake" --install "$build" --prefix "$build/package" > /dev/null
cp -r src/tablier/. "$build/package/tablier/"

if [ "$sanitizers" = address,undefined ]; then
  build --target demo check_allocations fuzz_words fuzz_table fuzz_networks fuzz_search
  "$build/demo" > /dev/null
  for target in words table networks search; do "$build/fuzz_$target" core/checks/fuzz/corpus/$target 100 1; done
else
  build --target signature
  TSAN_OPTIONS=halt_on_error=1:exitcode=66 "$build/signature" 4 > /dev/null
fi

# Python itself is not built with the sanitizer, so leaks that it reports at exit are not ours.
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 TSAN_OPTIONS=halt_on_error=1:exitcode=66
export LD_PRELOAD=$(gcc -print-file-name="$runtime"):$(gcc -print-file-name=libstdc++.so)
# -S skips `site`, so that the import hook of an editable install cannot load the usual extension.
packages=$(LD_PRELOAD= "$bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
export PYTHONPATH=$PWD/$build/package:$packages
"$bin/python" -S -c 'import tablier, sys; assert "sanitize" in tablier._core.__file__, tablier._core.__file__'
exec "$bin/python" -S -m pytest -q -p no:cacheprovider "$@"
