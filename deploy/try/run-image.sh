#!/usr/bin/env bash
# Runs an image's command in mount and process namespaces of its own. try-image.sh calls it.
set -euo pipefail
root=$1 view=$2 data=$3 target=$4
mount --make-rprivate /
mount --bind "$root" "$view"
mount -o remount,bind,ro "$view"
mount --bind "$data" "$view/data"
mount -t tmpfs -o mode=1777 tmpfs "$view/tmp"
mount -t proc proc "$view/proc"
mount --rbind /dev "$view/dev"

run() ( # COMMAND...: as the image's user, with the image's environment, in place of a process of the shell
  exec chroot --userspec=10001:10001 "$view" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin NODE_ENV=production \
    HOST=0.0.0.0 PORT=3999 DATA_DIR=/data "${extra[@]}" sh -c 'cd /opt/weir && exec "$@"' sh "$@"
)

if [ "$target" = live ]; then
  # Without a database the most that live can do is to refuse, and to name what it lacks.
  extra=(SERVICE_ENV=live)
  if run node weir.mjs start >"$data/out" 2>&1; then echo 'live started without settings'; exit 1; fi
  grep -q '^DATABASE_URL must be set' "$data/out" || { cat "$data/out"; exit 1; }
  extra=(DATABASE_URL=postgres://127.0.0.1:1/weir)
  if run node weir.mjs migrate >"$data/out" 2>&1; then echo 'migrate succeeded without a database'; exit 1; fi
  grep -q '^weir: DATABASE_URL: ' "$data/out" || { cat "$data/out"; exit 1; }
  exit 0
fi

extra=()
if run touch /opt/weir/written 2>/dev/null; then echo 'the root file system is writable'; exit 1; fi
# The signal is for the service itself, not for a shell around it.
run sh -c 'echo $$ >/tmp/pid && exec node --max-semi-space-size=8 weir.mjs start' >"$data/out" 2>"$data/err" &
pid=$!
for _ in $(seq 240); do
  if run node healthcheck.mjs; then break; fi
  kill -0 "$pid" 2>/dev/null || { cat "$data/out" "$data/err"; echo 'it exited'; exit 1; }
  sleep 0.25
done
run node healthcheck.mjs || { cat "$data/out" "$data/err"; echo 'it is not ready after a minute'; exit 1; }
grep '^ready ' "$data/out"
curl -fsS -o /dev/null -H 'accept: text/html' http://127.0.0.1:3999/
kill -TERM "$(cat "$view/tmp/pid")"
wait "$pid" || { cat "$data/err"; echo 'it did not stop cleanly'; exit 1; }
