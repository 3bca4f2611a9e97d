// The parts of the system, the links between them and what can go wrong at each. write-threat-model-doc.ts draws them.

export type Threat = readonly [kind: 'S' | 'T' | 'R' | 'I' | 'D' | 'E', attempt: string, outcome: string, test?: string]

export interface ThreatenedPart {
  readonly id: string
  readonly name: string
  /** Who runs it: the zone that it is drawn in. */
  readonly zone: 'operator' | 'customer' | 'third party'
  readonly trustedFor: string
  readonly notTrustedFor: string
  readonly threats: readonly Threat[]
}

/** Who calls whom, and what the call carries. */
export const LINKS: readonly (readonly [from: string, to: string, carries: string])[] = [
  ['browser', 'api', 'session or key, signed transactions'],
  ['agent', 'api', 'leases, reports'],
  ['agent', 'signer', 'bytes to sign'],
  ['agent', 'rpc', 'signed transactions'],
  ['api', 'database', 'all state'],
  ['workers', 'database', 'all state'],
  ['api', 'rpc', 'reads, broadcasts'],
  ['workers', 'rpc', 'blocks'],
  ['api', 'bank', 'customers, accounts'],
  ['bank', 'api', 'signed events'],
  ['workers', 'receiver', 'signed events'],
  ['host', 'api', 'settings, secrets'],
  ['browser', 'idp', 'sign-in'],
  ['api', 'idp', 'codes for tokens'],
  ['workers', 'mail', 'links, notices'],
]

const A = 'apps/server/system/'
const S = 'apps/server/src/'
const G = 'apps/agent/'

export const PARTS: readonly ThreatenedPart[] = [
  {
    id: 'api',
    name: 'API service',
    zone: 'operator',
    trustedFor: 'authentication, tenancy, the ledger that it shows',
    notTrustedFor: 'wallet keys: it has none; the agent decodes what it is asked to sign',
    threats: [
      [
        'S',
        'guess or replay a credential',
        'keys of 214 bits, pinned tokens, limits of guesses by account and address',
        `${S}identity/attempts/login-attempts.test.ts`,
      ],
      ['T', 'hide a request in another one', 'refused with 400; one response', `${A}attacks-operators.test.ts`],
      [
        'R',
        'deny a change',
        'each change is in a hash chain, in the transaction of its effect',
        `${S}identity/audit/verify-audit-log.test.ts`,
      ],
      [
        'I',
        "read another tenant's objects",
        'one scope in every statement; foreign ids look like missing ones',
        `${A}isolation.test.ts`,
      ],
      [
        'D',
        'send bodies that cost most, or floods',
        'linear validation, limits by key, address and organization, quotas',
        `${A}request-cost.test.ts`,
      ],
      [
        'E',
        'call a route above the role or scope',
        'each route is tried with each credential',
        `${A}authorization.test.ts`,
      ],
    ],
  },
  {
    id: 'workers',
    name: 'Workers',
    zone: 'operator',
    trustedFor: 'following the chains, deliveries, the rebalancing within caps and policy',
    notTrustedFor: 'moving money: their operations pass the policy and the agent',
    threats: [
      [
        'S',
        'a second process does the same work',
        'one holder of a lock per job',
        `${S}database/periodic-runner.test.ts`,
      ],
      [
        'T',
        'a crash between a change and its consequence',
        'both commit together, or neither',
        `${G}system/interruptions.test.ts`,
      ],
      [
        'R',
        'deny why an operation was planned',
        'each stores its requester and reasons',
        `${S}surfaces/core/operations/reasons.test.ts`,
      ],
      [
        'I',
        'read the backlog of all tenants from outside',
        '/metrics has a port of its own',
        `${S}surfaces/http/metrics/metrics-listener.test.ts`,
      ],
      [
        'D',
        'a wallet that cannot be settled stops its chain',
        'the wallet is quarantined and the others go on',
        `${A}chain-faults.test.ts`,
      ],
      ['E', 'rebalance beyond a cap', 'caps are checked again at the commit', `${S}rebalancing/enforce-cap.test.ts`],
    ],
  },
  {
    id: 'database',
    name: 'Database',
    zone: 'operator',
    trustedFor: 'keeping what was committed',
    notTrustedFor: 'secrets in clear; proof that people approved, where approvals are signed by passkeys',
    threats: [
      [
        'S',
        'stand in for the database on the network',
        'live requires verified TLS',
        `${S}database/open-database-tls.test.ts`,
      ],
      [
        'T',
        'write an approval into the table',
        'an agent that requires signed approvals does not sign',
        `${G}src/approvals/check-approval.test.ts`,
      ],
      ['R', 'rewrite the audit log', 'anchors outside show it', `${S}identity/audit/verify-audit-log.test.ts`],
      [
        'I',
        'use or read secrets from a dump',
        'keyed hashes; sealed values bound to their row',
        `${S}kernel/seal.test.ts`,
      ],
      ['D', 'take it away', 'requests return 503 NOT_READY, and work resumes', `${S}database/report-outage.test.ts`],
      [
        'E',
        'become a tenant with more rights by writing rows',
        'possible for whoever writes: the agent still signs only moves on its list',
      ],
    ],
  },
  {
    id: 'agent',
    name: 'Custody agent',
    zone: 'customer',
    trustedFor: 'checking and signing: the last check before money moves',
    notTrustedFor: 'anything else: its key can lease and report, not read or plan',
    threats: [
      [
        'S',
        'report with a stolen key of another kind',
        'the permission agent and the lease are required',
        `${A}authorization.test.ts`,
      ],
      [
        'T',
        'give it bytes that differ from their description',
        'it decodes all bytes against its own list',
        `${G}system/attacks-agent.test.ts`,
      ],
      ['R', 'deny a signature', 'journal on its disk, reports in the audit log', `${G}src/journal/journal.test.ts`],
      [
        'I',
        'read keys or secrets from its log or metrics',
        'no setting with a secret is printed',
        `${G}src/config.test.ts`,
      ],
      [
        'D',
        'let leases run out or answers hang',
        'work returns to the queue; bodies and times are bounded',
        `${G}src/bounded-body.test.ts`,
      ],
      [
        'E',
        'drain wallets with valid moves',
        'limits by hour and day and a fee budget in its own file',
        `${G}src/limits/exceeded-limit.test.ts`,
      ],
    ],
  },
  {
    id: 'signer',
    name: 'Signer or key service',
    zone: 'customer',
    trustedFor: 'the wallet keys',
    notTrustedFor: 'deciding what to sign',
    threats: [
      [
        'S',
        'stand in for the signer or the agent',
        'both authenticate with a shared secret; live requires https',
        `${G}src/config/links.test.ts`,
      ],
      [
        'T',
        'return a signature of other bytes',
        'the agent verifies each signature',
        `${G}src/signers/signers.test.ts`,
      ],
      [
        'R',
        'deny a request for a signature',
        'requests carry the operation and the transaction',
        `${G}src/signers/signers.test.ts`,
      ],
      ['I', 'learn keys from the agent', 'with a key service they never leave it', `${G}src/signers/signers.test.ts`],
      [
        'D',
        'never answer',
        'the lease is renewed for a bounded time, then the work is free',
        `${G}src/work/lease.test.ts`,
      ],
      [
        'E',
        'sign with the local keys of a stolen machine',
        'possible with SIGNER=keystore and its passphrase: use a key service',
      ],
    ],
  },
  {
    id: 'rpc',
    name: 'RPC endpoints',
    zone: 'third party',
    trustedFor: 'blocks and broadcasts of their chain',
    notTrustedFor: 'what is signed',
    threats: [
      ['S', 'serve another chain', 'chain id or genesis hash is checked before use', `${S}chains/rpc/rpc.test.ts`],
      [
        'T',
        'invent blocks or balances',
        'shown values can be false; settled ones follow final blocks and are rolled back',
        `${A}chain-faults.test.ts`,
      ],
      ['R', 'deny a broadcast', 'hashes and bytes are stored before they are sent', `${S}chains/evm/broadcast.test.ts`],
      [
        'I',
        'see keys in URLs and requests',
        'live requires https; logs show host and port only',
        `${S}config/private-links.test.ts`,
      ],
      [
        'D',
        'be silent or endless',
        'the next endpoint serves; otherwise CHAIN_UNAVAILABLE and nothing changes',
        `${S}chains/rpc/rpc.test.ts`,
      ],
      ['E', 'make the agent sign more', 'only its own list and limits count', `${G}system/attacks-agent.test.ts`],
    ],
  },
  {
    id: 'receiver',
    name: 'Webhook receivers',
    zone: 'customer',
    trustedFor: 'nothing',
    notTrustedFor: 'any input: only the status of a response is read',
    threats: [
      [
        'S',
        'send false events to a receiver',
        'events are signed, with time and id',
        `${S}webhooks/delivery/signed-delivery.test.ts`,
      ],
      [
        'T',
        'change an event on its way',
        'the signature covers the body; live requires https',
        `${S}webhooks/delivery/signed-delivery.test.ts`,
      ],
      [
        'R',
        'deny a delivery',
        'each attempt is stored with its status',
        `${S}webhooks/delivery/record-attempts.test.ts`,
      ],
      [
        'I',
        'reach the operator’s network through a webhook',
        'addresses are checked after the name is resolved',
        `${S}webhooks/guard/address-guard.test.ts`,
      ],
      [
        'D',
        'answer slowly or without end',
        'ten seconds, 4 KiB, and a pause for each receiver',
        `${S}webhooks/endpoints/disable-failing.test.ts`,
      ],
      ['E', 'redirect to another host', 'redirects are not followed', `${S}webhooks/guard/address-guard.test.ts`],
    ],
  },
  {
    id: 'bank',
    name: 'Banking partner',
    zone: 'third party',
    trustedFor: 'verifications, bank accounts, payments',
    notTrustedFor: 'tokens: deposits count when their block is final',
    threats: [
      ['S', 'send an event in its name', 'signatures over the raw bytes', `${S}ramp/bridge/signature.test.ts`],
      [
        'T',
        'replay or reorder events',
        'each event counts once, and states only go forward',
        `${S}ramp/events/event-order.test.ts`,
      ],
      ['R', 'deny a request', 'intents with idempotency keys are stored first', `${S}ramp/bridge/create-once.test.ts`],
      [
        'I',
        'read account numbers from rows, logs or metrics',
        'sealed, masked and never logged',
        `${S}surfaces/v1/ramp/account-number-leaks.test.ts`,
      ],
      ['D', 'be unavailable', 'RAMP_UNAVAILABLE, and nothing is lost', `${A}ramp-bridge.test.ts`],
      [
        'E',
        'start verifications without end at your cost',
        'quotas of recipients, accounts and verifications',
        `${S}ramp/customers/create-recipient.test.ts`,
      ],
    ],
  },
  {
    id: 'host',
    name: "Operator's host",
    zone: 'operator',
    trustedFor: 'everything that the service may do: it has all secrets',
    notTrustedFor: 'wallet keys, which are with the customer',
    threats: [
      [
        'S',
        'connect to a service that is not yours',
        'TLS by the service or a proxy, with a certificate',
        `${S}surfaces/http/server/tls.test.ts`,
      ],
      [
        'T',
        'install a changed package',
        'versions and hashes are pinned, and no install script runs',
        `${A}supply-chain.test.ts`,
      ],
      [
        'R',
        'recover an owner unseen',
        'commands on the host are security events',
        `${S}main/owner-recover-command.test.ts`,
      ],
      ['I', 'read secrets from messages', 'no message repeats a secret setting', `${S}config.test.ts`],
      ['D', 'kill the service', 'state is in the database, and the next start resumes', `${A}process.test.ts`],
      ['E', 'sign for wallets with the secrets of the host', 'possible only where the keys are: not on this host'],
    ],
  },
  {
    id: 'browser',
    name: 'Browser and client',
    zone: 'customer',
    trustedFor: 'its own credential',
    notTrustedFor: 'anything that it sends',
    threats: [
      [
        'S',
        'use a stolen session',
        'idle and absolute limits; members end sessions',
        `${S}identity/sessions/refresh-session.test.ts`,
      ],
      [
        'T',
        'make a browser send a request from another page',
        'no cookies, no CORS, JSON only',
        `${A}attacks-operators.test.ts`,
      ],
      [
        'R',
        'approve under another name',
        'decisions store their user; the requester may not approve',
        `${S}operations/approval/count-approvals.test.ts`,
      ],
      [
        'I',
        'read a response from a cache or another origin',
        'no-store, same-origin, no frames',
        `${S}surfaces/http/pipeline/security-headers.test.ts`,
      ],
      [
        'D',
        'lock a user out by wrong passwords',
        'addresses that the account has used go on',
        `${S}identity/attempts/login-attempts.test.ts`,
      ],
      [
        'E',
        'run a script in /docs',
        'inline scripts run by their hash only',
        `${S}surfaces/http/pipeline/security-headers.test.ts`,
      ],
    ],
  },
  {
    id: 'idp',
    name: 'Identity provider',
    zone: 'customer',
    trustedFor: 'who a person in a proved domain is, and the role that its organization maps',
    notTrustedFor: 'people of other domains, other organizations, and the role of an owner',
    threats: [
      ['S', 'forge or replay an ID token, or use another issuer', 'nothing opens', `${A}attacks-sso.test.ts`],
      ['T', 'plant a sign-in in another browser', 'the cookie of the start is missing', `${A}attacks-sso.test.ts`],
      [
        'R',
        'deny a sign-in',
        'the audit log has it, with issuer and subject',
        `${S}identity/audit/verify-audit-log.test.ts`,
      ],
      ['I', 'reach the network by an issuer URL', 'the guard refuses private addresses', `${A}attacks-sso.test.ts`],
      [
        'D',
        'endless documents',
        'sizes and times are limited; passwords work where not enforced',
        `${A}attacks-sso.test.ts`,
      ],
      [
        'E',
        'claim a higher role or a foreign domain',
        'unmapped roles and unproved domains count for nothing',
        `${A}attacks-sso.test.ts`,
      ],
    ],
  },
  {
    id: 'mail',
    name: 'Mail',
    zone: 'third party',
    trustedFor: 'carrying links that prove an address',
    notTrustedFor: 'approvals: a reset pauses them for a day; second factors: a reset keeps them',
    threats: [
      [
        'S',
        'guess or reuse a token',
        'tokens work once, for a short time, and guesses are counted',
        `${A}attacks-mail-and-reset.test.ts`,
      ],
      ['T', 'put lines or markup into a mail', 'names are refused or escaped', `${A}attacks-mail-and-reset.test.ts`],
      [
        'R',
        'deny a reset',
        'the audit log has it, and the address gets a notice',
        `${A}attacks-mail-and-reset.test.ts`,
      ],
      ['I', 'learn who has an account', 'every address gets the same response', `${A}attacks-mail-and-reset.test.ts`],
      ['D', 'flood an address', 'five mails in an hour', `${A}attacks-mail-and-reset.test.ts`],
      [
        'E',
        'invite above one’s own role',
        'refused, and checked again at the acceptance',
        `${A}attacks-mail-and-reset.test.ts`,
      ],
    ],
  },
]
