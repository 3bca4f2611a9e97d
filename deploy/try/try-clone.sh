#!/usr/bin/env bash
# Follows docs/quick-start.md and docs/treasury-tour.md on an empty Debian 13, as an ordinary user with a clone: Debian's
# own Node and npm, `npm start`, every block in order. It needs root, and Debian's debootstrap and systemd-container.
set -euo pipefail
cd "$(dirname "$0")/../.."
. deploy/try/machine.sh
say() { echo "try-clone: $*"; }
for tool in debootstrap systemd-nspawn; do
  command -v "$tool" >/dev/null || { say "SKIPPED, there is no $tool"; exit 77; }
done
[ "$(id -u)" = 0 ] || { say 'SKIPPED, it needs root'; exit 77; }

work=$(mktemp -d)
machine=$work/machine
trap 'rm -rf "$work"' EXIT
began=$SECONDS
make_machine trixie "$machine" || { say 'SKIPPED, debootstrap failed'; exit 77; }
put_sources "$machine/opt/weir"
say "an empty Debian 13 and the sources after $((SECONDS - began)) s"

cat >"$machine/opt/machine" <<'END'
set -euo pipefail
apt-get update -qq
apt-get install -qq --yes --no-install-recommends git curl nodejs npm >/opt/log 2>&1 || { tail /opt/log; exit 1; }
echo "try-clone: Node $(node --version) and npm $(npm --version) after $SECONDS s"
useradd --create-home --shell /bin/bash ann
[ ! -e /root/.npmrc ] || install --owner=ann /root/.npmrc /home/ann/.npmrc
chown -R ann /opt/weir
runuser --user ann -- env HOME=/home/ann bash /opt/user
END
cat >"$machine/opt/user" <<'END'
set -euo pipefail
cd /opt/weir
npm start >/tmp/start 2>&1 &
service=$!
until grep -q '^ready ' /tmp/start; do
  kill -0 "$service" 2>/dev/null && [ "$SECONDS" -lt 900 ] || { tail -30 /tmp/start; exit 1; }
  sleep 1
done
echo "try-clone: npm start was ready after $SECONDS s"
began=$SECONDS
bash -euo pipefail /opt/blocks >/tmp/blocks 2>&1 || { tail -40 /tmp/blocks; exit 1; }
[ "$(grep -cx CONFIRMED /tmp/blocks)" = 2 ] || { cat /tmp/blocks; exit 1; }
echo "try-clone: all blocks of both pages ran after another $((SECONDS - began)) s"
kill -INT "$service"
wait "$service" || { echo "npm start ended with $?"; exit 1; }
END
blocks_of bash docs/quick-start.md docs/treasury-tour.md >"$machine/opt/blocks"
port=$(node -e 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close() })')
systemd-nspawn --quiet --directory="$machine" --register=no --keep-unit "${machine_env[@]/#/--setenv=}" \
  --setenv="PORT=$port" bash /opt/machine </dev/null >"$work/out" 2>&1 || { cat "$work/out"; say 'FAILED'; exit 1; }
grep '^try-clone: ' "$work/out"
say "PASSED after $((SECONDS - began)) s"
