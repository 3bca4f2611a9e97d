#!/usr/bin/env bash
# Builds deploy/Dockerfile for real and starts both images: as their user, with a read-only root file system.
# It needs root and Debian packages (apt-get install --no-install-recommends buildah debootstrap), and no Docker: the base
# is a stand-in, Debian by debootstrap with the Node of node_modules, because no image registry is asked for one.
#   deploy/try/try-image.sh [sandbox] [live]
set -euo pipefail
cd "$(dirname "$0")/../.."
. deploy/try/machine.sh
for tool in buildah debootstrap curl; do
  command -v "$tool" >/dev/null || { echo "try-image: SKIPPED, there is no $tool"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo 'try-image: SKIPPED, it needs root'; exit 77; }

targets=("${@:-live}")
[ $# -gt 0 ] || targets=(live sandbox)
work=$(mktemp -d)
base=localhost/weir-try-base
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
containers=()
finish() {
  for container in "${containers[@]}"; do buildah rm "$container" >/dev/null 2>&1 || true; done
  rm -rf "$work"
}
trap finish EXIT
say() { echo "try-image: $*"; }
since() { echo "$((SECONDS - $1)) s"; }

if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  began=$SECONDS
  debootstrap --variant=minbase --include=libstdc++6,ca-certificates bookworm "$work/root" >"$work/debootstrap.log" 2>&1 ||
    { tail -5 "$work/debootstrap.log"; say 'SKIPPED, debootstrap failed'; exit 77; }
  # Where the machine reaches the registry through a proxy of its own, its settings and authorities count in the base too.
  for file in /etc/npmrc /root/.npmrc /etc/ssl/certs/ca-certificates.crt; do
    [ ! -e "$file" ] || install -D -m 0644 "$file" "$work/root$file"
  done
  copy_node "$work/root/usr/local"
  rm -rf "$work/root/var/cache/apt" "$work/root/var/lib/apt/lists"
  container=$(buildah from scratch)
  containers+=("$container")
  buildah copy --quiet "$container" "$work/root" / >/dev/null
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    --env "NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-}" "$container"
  buildah commit --quiet "$container" "$base" >/dev/null
  rm -rf "$work/root"
  say "made a stand-in for the base in $(since $began)"
fi

for target in "${targets[@]}"; do
  began=$SECONDS
  buildah build --quiet --format docker --file deploy/Dockerfile --target "$target" --tag "localhost/weir-try:$target" \
    --build-arg "BASE=$base" . >"$work/build.log" 2>&1 ||
    { tail -30 "$work/build.log"; say "FAILED to build $target"; exit 1; }
  container=$(buildah from --pull-never "localhost/weir-try:$target")
  containers+=("$container")
  root=$(buildah mount "$container")
  say "built $target in $(since $began): $(du -sm "$root" | cut -f1) MB, of which /opt/weir $(du -sm "$root/opt/weir" | cut -f1) MB"

  buildah inspect --type image "localhost/weir-try:$target" >"$work/config.json"
  node deploy/try/expect-image.ts "$work/config.json" "$root"

  # A read-only view of the image, with /data and /tmp of its own, as `docker run --read-only` gives it.
  view=$work/$target
  mkdir -p "$view" "$work/$target-data"
  chown 10001:10001 "$work/$target-data"
  began=$SECONDS
  unshare --mount --pid --fork --kill-child deploy/try/run-image.sh "$root" "$view" "$work/$target-data" "$target"
  did="was ready and stopped"; [ "$target" = sandbox ] || did="named the settings that it lacks"
  say "$target $did after $(since $began)"
  buildah umount "$container" >/dev/null
done
say "PASSED: ${targets[*]}"
