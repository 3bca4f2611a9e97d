# shellcheck shell=bash
# The steps between the blocks that documented-tour.ts runs: what pages expect of their reader without showing it.
# The blocks use the variables that it sets.
# shellcheck disable=SC2034

# A refusal ends the script. LAST has the response. A stream that does not end by itself is left after two seconds.
curl() {
  local most=60 code=0
  case "$*" in *text/event-stream*) most=2 ;; esac
  LAST=$(command curl --silent --show-error --fail-with-body --max-time "$most" "$@") || code=$?
  printf '%s\n' "$LAST"
  [ "$code" = 0 ] || { [ "$code" = 28 ] && [ "$most" = 2 ]; } || { echo "refused: $*" >&2; return 1; }
}

# The command of a clone, with the data of this folder. Nobody is here to say yes.
weir() {
  case "$1 $2" in 'owner recover') set -- "$@" --yes ;; esac
  DATA_DIR=$PWD/.data node apps/cli/weir.mjs "$@"
}

# The agent of the tour has ended: a larger buffer plans a withdrawal that nobody takes.
work_for_agents() {
  core PUT "/api/core/wallets/monitored/$OPERATIONAL/buffer-settings" '{"bufferAmount": "4000"}' | pick it.success
}

another_address() { ADDRESS=0x$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n'); }

# The name server of the test returns the content of this file.
publish_record() { echo "$LAST" | pick it.data.recordValue > .data/txt-record; }

two_more_members() {
  local email
  for email in ada@acme.example bob@acme.example; do
    core POST /api/core/members "{\"email\": \"$email\", \"role\": \"owner\", \"password\": \"correct horse 7 battery\"}" | pick it.success
  done
}

verified_address() {
  local mails token
  mails="$BASE/sandbox/mailbox?to=$(echo "$LOGIN" | pick it.email)"
  core POST /api/core/auth/email-verification '{}' | pick it.success
  until command curl -sS "$mails" | pick 'it.data.map(({ subject }) => subject)' | grep Confirm; do sleep 0.2; done
  token=$(command curl -sS "$BASE/sandbox/mailbox/$(command curl -sS "$mails" | pick 'it.data.find(({ subject }) => subject.includes("Confirm")).id')" |
    pick 'it.data.text.match(/verify_\w+/)[0]')
  own_password
  curl "$BASE/api/core/auth/email-verification/confirm" -H 'content-type: application/json' \
    -d "{\"token\": \"$token\", \"password\": \"$PASSWORD\"}"
}

own_password() { PASSWORD=$(echo "$LOGIN" | pick it.password); }

# code SECRET PERIODS: that of an authenticator app, so many periods of 30 seconds from now.
code() {
  node -e '
    const [secret, periods] = process.argv.slice(1)
    const bits = [...secret].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    const key = Buffer.from(bits.join("").match(/.{8}/g).map((byte) => parseInt(byte, 2)))
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + Number(periods)))
    const mac = crypto.createHmac("sha1", key).update(counter).digest()
    console.log(String((mac.readUInt32BE(mac[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0"))' -- "$@"
}

second_factor() {
  local secret
  secret=$(core POST /api/core/auth/factors/totp '{}' | pick it.data.secret)
  core POST /api/core/auth/factors/totp/confirm "{\"code\": \"$(code "$secret" 0)\"}" | pick it.success
  # The password that the block before has set.
  LOGIN=$(echo "$LOGIN" | pick '({ ...it, password: "at least 12 characters" })')
  CHALLENGE=$(command curl -sS "$BASE/api/core/auth/login" -H 'content-type: application/json' -d "$LOGIN" | pick it.data.challengeToken)
  CODE=$(code "$secret" 1)
}

# A worker sends the first anchor within half a minute of a new entry.
anchored() { until [ -s .data/anchors.ndjson ]; do sleep 0.2; done; }

# A passkey in software, as the tests of the service use it.
own_passkey() {
  local challenge passkey
  challenge=$(core POST /api/core/auth/factors/passkeys/options '{}' | pick it.data.challenge)
  passkey=$(node_modules/.bin/node --input-type=module -e '
    import { softwareAuthenticator } from "./apps/server/testing/identity/software-authenticator.ts"
    const [challenge, origin] = process.argv.slice(1)
    console.log(JSON.stringify({ name: "Key", passkey: softwareAuthenticator().create({ challenge, origin }) }))' \
    -- "$challenge" "http://localhost:${BASE##*:}")
  core POST /api/core/auth/factors/passkeys "$passkey" | pick it.success
}

new_session() { TOKEN=$(echo "$LAST" | pick it.data.accessToken); }
