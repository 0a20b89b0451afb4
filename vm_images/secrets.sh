#!/usr/bin/env bash
# Makes the secrets that docker-compose.yml reads: secrets/NAME, new ones only where none are.
#
#   vm_images/secrets.sh
#
# The folder is closed to other users of this machine; the files in it are not, because a container
# reads its own as a user without any rights. Workers sign the tokens of env hosts, which get the
# public key.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=secrets
mkdir -p "$folder" && chmod 700 "$folder"
echo '*' >"$folder/.gitignore"
random() { head -c 24 /dev/urandom | base64 | tr '+/' '-_'; }
put() { printf '%s' "$2" >"$folder/$1"; chmod 444 "$folder/$1"; }

# Also into a folder that an older version made.
for name in policy_key policy_control_key; do
  [ -e "$folder/$name" ] || put "$name" "$(random)"
done
if [ ! -e "$folder/host_public_key" ]; then
  put host_signing_key "$(openssl genpkey -algorithm ed25519)"
  put host_public_key "$(openssl pkey -in "$folder/host_signing_key" -pubout)"
fi
[ -e "$folder/.complete" ] && exit 0

postgres="$(random)" redis="$(random)"
put api_key "$(random)"
put gym_token "$(random)"
put postgres_password "$postgres"
put database_url "postgresql+psycopg://deskhand:$postgres@postgres/deskhand"
put redis_config "requirepass $redis"
put broker_url "redis://:$redis@redis:6379/0"
touch "$folder/.complete"
