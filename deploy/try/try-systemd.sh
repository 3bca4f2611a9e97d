#!/usr/bin/env bash
# Follows docs/install-systemd.md, block by block, on an empty Debian 12 that systemd boots in a container, up to an
# agent that has work to ask for. It needs root and Debian's debootstrap and systemd-container, and no other machine.
# What differs from the page is in `adapt`: addresses, ports, and an archive of Node where nodejs.org is out of reach.
set -euo pipefail
cd "$(dirname "$0")/../.."
. deploy/try/machine.sh
say() { echo "try-systemd: $*"; }
for tool in debootstrap systemd-nspawn nsenter curl; do
  command -v "$tool" >/dev/null || { say "SKIPPED, there is no $tool"; exit 77; }
done
[ "$(id -u)" = 0 ] || { say 'SKIPPED, it needs root'; exit 77; }

work=$(mktemp -d)
machine=$work/machine
log=$work/log
container='' chain=''
finish() {
  set +e
  if [ -n "$container" ]; then
    # The first signal asks systemd to stop, the second ends it.
    kill "$container" 2>/dev/null && sleep 5 && kill "$container" 2>/dev/null
    wait "$container"
  fi
  [ -z "$chain" ] || kill "$chain"
  rm -rf "$work"
}
trap finish EXIT
free_port() {
  node -e 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close() })'
}

began=$SECONDS
make_machine bookworm "$machine" ca-certificates,systemd,systemd-sysv,dbus || { say 'SKIPPED, debootstrap failed'; exit 77; }
put_sources "$machine/root/weir"
say "an empty Debian 12 and the sources after $((SECONDS - began)) s"

systemd-nspawn --quiet --directory="$machine" --boot --register=no --keep-unit </dev/null >"$log" 2>&1 &
container=$!
for _ in $(seq 60); do
  leader=$(pgrep -P "$container" || true)
  [ -z "$leader" ] || ! nsenter -t "$leader" -a systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded' || break
  sleep 1
done
inside() { nsenter -t "$leader" -a env -i "${machine_env[@]}" "$@"; }
inside systemctl is-system-running >/dev/null || { tail -5 "$log"; say 'SKIPPED, systemd does not boot in a container here'; exit 77; }

port=$(free_port) agent_port=$(free_port) chain_port=$(free_port)
# It says that it is Ethereum, and has no contract.
node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil --silent --chain-id 1 --port "$chain_port" --block-time 2 &
chain=$!

# Runs in the page's shell before the last block: the owner registers, and makes the agent's key, as the pages say.
cat >"$machine/root/register" <<END
invitation=\$(weir invite owner@example.com | sed -n 's/^invitation //p')
curl -fsS http://127.0.0.1:$port/api/core/auth/register -H 'content-type: application/json' -o /dev/null \
  -d '{"email":"owner@example.com","password":"correct horse 7 battery","organizationName":"Acme","invitation":"'\$invitation'"}'
(cd /opt/weir/current && WEIR_URL=http://127.0.0.1:$port WEIR_EMAIL=owner@example.com \
  WEIR_PASSWORD='correct horse 7 battery' node weir.mjs keys create Agent --permission agent) | head -1 >/root/agent-key
END
adapt() {
  sed -e "s|http://127.0.0.1:3000|http://127.0.0.1:$port|g" \
    -e "s|https://rpc.example/[a-z-]*|http://127.0.0.1:$chain_port|" \
    -e "s|^PUBLIC_URL=.*|&\nPORT=$port|" \
    -e "s|^WEIR_URL=.*|WEIR_URL=http://127.0.0.1:$port\nAGENT_PORT=$agent_port|" \
    -e "s|^WEIR_API_KEY=.*|WEIR_API_KEY=\$(cat /root/agent-key)|" \
    -e "$nodejs"
}
nodejs=
if ! curl -fsSI --max-time 20 https://nodejs.org/dist/index.json >/dev/null 2>&1; then
  say 'nodejs.org cannot be reached: an archive of the same Node stands in for its'
  stand_in_node "$machine/root/weir"
  nodejs='/^curl .*nodejs.org/d'
fi

{
  echo 'set -euo pipefail; cd /root/weir'
  # The page's shell expands it.
  # shellcheck disable=SC2016
  echo 'block() { echo "#: $1, $((SECONDS - began)) s"; began=$SECONDS; }; began=0'
  blocks_of sh docs/install-systemd.md | adapt | awk '
    /^#: / { if (NR > 1) print "block " number; number = $2; next }
    /^useradd .*weir-agent/ { print ". /root/register" }
    { print } END { print "block " number }'
  echo "curl -fs --retry 30 --retry-all-errors --retry-delay 1 -o /dev/null http://127.0.0.1:$agent_port/ready"
  echo 'systemctl restart weir; systemctl is-active weir weir-agent'
  echo "curl -fs --retry 30 --retry-all-errors --retry-delay 1 -o /dev/null http://127.0.0.1:$port/ready"
  echo 'systemctl stop weir-agent weir; systemctl show --property=Result weir weir-agent'
  echo 'systemctl --failed --no-legend; systemd-analyze security weir | tail -1'
} >"$machine/root/page.sh"
inside bash /root/page.sh >"$work/out" 2>&1 || {
  cat "$work/out"
  inside journalctl --no-pager --lines 30 --unit weir --unit weir-agent --output cat || true
  say 'FAILED'
  exit 1
}
[ -z "${SHOW:-}" ] || cat "$work/out"
sed -n 's/^#: /try-systemd: block /p' "$work/out"
[ "$(grep -c '^active$' "$work/out")" = 2 ] || { cat "$work/out"; say 'FAILED: a unit is not active'; exit 1; }
[ "$(grep -c '^Result=success$' "$work/out")" = 2 ] || { cat "$work/out"; say 'FAILED: a unit did not stop cleanly'; exit 1; }
say "PASSED: service and agent ran under systemd $(inside systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p') after $((SECONDS - began)) s"
