#!/bin/sh
# First program of every image: reads secrets, starts the forwards that the service asks for, then
# becomes the service.
#
#   DESKHAND_NAME_FILE=PATH                          DESKHAND_NAME gets what the file holds
#   DESKHAND_FORWARDS="ADDRESS:PORT=HOST:PORT ..."   whoever connects to the first talks to the second
#
# A program in a box reaches others, and is reached, through loopback only; a forward joins one
# loopback port to the network, and nothing else is joined.
set -eu
for name in $(env | sed -n 's/^\(DESKHAND_[A-Z0-9_]*\)_FILE=.*/\1/p'); do
  eval "file=\$${name}_FILE"
  export "$name=$(cat "$file")"
  unset "${name}_FILE"
done
if [ -n "${DESKHAND_FORWARDS:-}" ]; then
  # shellcheck disable=SC2086 # a pair a word
  python -m envs.io.relay $DESKHAND_FORWARDS &
fi
exec "$@"
