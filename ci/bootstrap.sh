#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bootstrap.sh - install the packages of ci/packages.txt that are missing
#
# Needs nothing but a shell and dpkg, touches nothing when nothing is missing.

set -eu

fail() {
    echo "deps: $*" >&2
    exit 1
}

here=$(dirname "$0")
packages=$(sed 's/#.*//' "$here/packages.txt")

command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1 ||
    fail "there is no apt here; install these yourself:" $packages

# An unknown package is a line on stderr and exit 1: as good as not installed.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $packages 2>/dev/null |
    sed -n 's/^installed //p') || true
missing=
for package in $packages; do
    case "
$installed
" in
    *"
$package
"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 ||
        fail "not root and no sudo; have these installed:$missing"
    as_root=sudo
fi

echo "deps: installing$missing"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update </dev/null ||
    fail "apt-get update failed (no network, or not allowed?)"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
    -o Dpkg::Use-Pty=0 install $missing </dev/null ||
    fail "apt-get could not install:$missing"
