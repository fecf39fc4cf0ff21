#!/bin/sh
# The check that consistency-bot replaces: both files of a pair have to be in the diff, or neither.
# file_level_check.sh REPO BASE HEAD FILE FILE
base=$(git -C "$1" merge-base "$2" "$3") || exit 3
changed=$(git -C "$1" diff --name-only "$base" "$3") || exit 3
first=$(printf '%s\n' "$changed" | grep -cxF "$4")
second=$(printf '%s\n' "$changed" | grep -cxF "$5")
if [ "$first" -ne "$second" ]; then
    echo "$4 and $5 have to change together"
    exit 1
fi
