#!/bin/sh
# First program of a machine of a test cluster, in namespaces that are new: it sets up name, network
# and files, then runs the machine's part.
#
#   boot.sh NAME ADDRESS/BITS FOLDER HOSTS RUNS none|read|write once|always COMMAND...
#
# Of the file system the machine writes FOLDER alone, which is its /tmp, and RUNS, a folder that
# machines share, which is /tmp/runs. Once RUNS is mounted nothing else of other machines is seen.
set -eu
name=$1 address=$2 folder=$3 hosts=$4 runs=$5 access=$6 times=$7
shift 7

hostname "$name"
ip link set lo up
# The other end puts it here.
until ip link show eth0 >/dev/null 2>&1; do sleep 0.02; done
ip address add "$address" dev eth0
ip link set eth0 up

mount --bind "$hosts" /etc/hosts
if [ "$access" != none ]; then
  mkdir -p "$folder/runs"
  mount --bind "$runs" "$folder/runs"
  [ "$access" = write ] || mount -o remount,bind,ro "$folder/runs"
fi
mount --rbind "$folder" /tmp
mount -t tmpfs tmpfs /dev/shm
mount -o remount,bind,ro /
cd /tmp

# The shell stays: as the first process it collects what loses its parent.
while :; do
  status=0
  "$@" || status=$?
  [ "$times" = always ] || exit "$status"
  echo "$name: its part ended with $status and starts again"
  sleep 1
done
