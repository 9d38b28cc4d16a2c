#!/usr/bin/env bash
# clone.sh SOURCE FOLDER: a clone of the last commit in FOLDER. What has been built there stays.
set -euo pipefail
if [[ -d $2/.git ]]; then
  git -C "$2" fetch -q origin HEAD
  git -C "$2" reset -q --hard FETCH_HEAD
else
  git clone -q "$1" "$2"
fi
