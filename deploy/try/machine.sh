# shellcheck shell=bash
# An empty Debian in a folder, in which a page of the documents is followed. Sourced by the scripts next to it.

# make_machine SUITE FOLDER: what debootstrap calls minimal, and this machine's way to the registries if it has its own.
make_machine() {
  debootstrap --variant=minbase --include="${3:-ca-certificates}" "$1" "$2" >"$2.log" 2>&1 ||
    { tail -5 "$2.log"; return 1; }
  cp /etc/resolv.conf "$2/etc/resolv.conf"
  local file
  for file in /etc/npmrc /root/.npmrc; do [ ! -e "$file" ] || install -D -m 0644 "$file" "$2$file"; done
  # A copy, because Debian rebuilds its own file when a package asks for it.
  install -m 0644 /etc/ssl/certs/ca-certificates.crt "$2/etc/ssl/machine.crt"
}

# The environment of an operator's shell in it.
# Its scripts use it.
# shellcheck disable=SC2034
machine_env=(HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive NODE_EXTRA_CA_CERTS=/etc/ssl/machine.crt
  npm_config_cafile=/etc/ssl/machine.crt
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)

# copy_node FOLDER: the Node and npm that are here, as an installation of nodejs.org lays them out.
copy_node() {
  mkdir -p "$1/bin" "$1/lib/node_modules"
  install -m 0755 "$(npm exec --silent -- node -p process.execPath)" "$1/bin/node"
  cp -a "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$1/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$1/bin/npx"
}

# stand_in_node FOLDER: an archive as nodejs.org has it, of that Node.
stand_in_node() {
  local name stage
  name=node-v$(npm exec --silent -- node -p process.versions.node)-linux-x64
  stage=$(mktemp -d)
  copy_node "$stage/$name"
  tar -C "$stage" -czf "$1/$name.tar.gz" "$name"
  rm -rf "$stage"
}

# put_sources FOLDER: what git knows of this repository, as it is here.
put_sources() {
  mkdir -p "$1"
  git ls-files -z | tar --null --files-from=- -cf - | tar -xf - -C "$1"
}

# blocks_of LANGUAGE PAGE...: the code blocks of pages, in order, each after a line `#: NUMBER`.
blocks_of() {
  awk -v open="^ *\`\`\`$1\$" '$0 ~ open { inside = 1; print "#: " ++count; next } /^ *```$/ { inside = 0 } inside' \
    "${@:2}"
}
