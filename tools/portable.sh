#!/usr/bin/env bash
# Builds core and bindings with clang, warnings as errors, and tries them; then the C library for arm64 Linux and 64-bit
# Windows, if their cross compilers are installed (Debian: g++-aarch64-linux-gnu and qemu-user-static,
# g++-mingw-w64-x86-64-posix and wine64). CXX names another clang.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/.venv/bin
network=core/c_api/examples/trictrac.safetensors
clang=${CXX:-clang++}

build() {  # FOLDER TARGETS OPTIONS...
  local folder=build/$1 targets=$2
  shift 2
  mkdir -p "$folder"
  "$bin/cmake" -G Ninja -S . -B "$folder" -DCMAKE_MAKE_PROGRAM="$bin/ninja" -DTABLIER_WERROR=ON "$@" \
    > "$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
  # shellcheck disable=SC2086
  "$bin/cmake" --build "$folder" --target $targets >> "$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
}

echo "$("$clang" --version | head -1): core, bindings and C programs"
build portable "all demo check_allocations" -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_C_COMPILER="${clang/++/}" \
  -DTABLIER_PYTHON=ON -DPython_EXECUTABLE="$bin/python"
build/portable/check_allocations "$network" > /dev/null
build/portable/demo "$network" > build/portable/demo.txt
rm -rf build/portable/package
"$bin/cmake" --install build/portable --prefix build/portable/package > /dev/null
cp -r src/tablier/. build/portable/package/tablier/
# -S skips `site`, so that the import hook of an editable install cannot load the usual extension.
packages=$("$bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
PYTHONPATH=$PWD/build/portable/package:$packages "$bin/python" -S tools/smoke.py tests/signature.txt

cross() {  # NAME COMPILER EMULATOR OPTIONS...
  local name=$1 compiler=$2 emulator=$3
  shift 3
  if ! command -v "$compiler" > /dev/null; then echo "$name: not tried, there is no $compiler"; return; fi
  if ! command -v "$emulator" > /dev/null; then echo "$name: not tried, there is no $emulator"; return; fi
  build "$name" demo -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_C_COMPILER="${compiler/g++/gcc}" \
    -DCMAKE_CROSSCOMPILING_EMULATOR="$emulator" "$@"
  "$emulator" "build/$name"/demo* "$network" | tr -d '\r' > "build/$name/demo.txt"
  cmp "build/$name/demo.txt" build/portable/demo.txt
  echo "$name: the C demonstration prints the same"
}

cross arm64 aarch64-linux-gnu-g++ qemu-aarch64-static -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
  -DCMAKE_EXE_LINKER_FLAGS=-static
wine=$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)  # Debian's wine64 is not on the path
cross windows x86_64-w64-mingw32-g++-posix "$wine" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=AMD64 \
  -DCMAKE_EXE_LINKER_FLAGS=-static
