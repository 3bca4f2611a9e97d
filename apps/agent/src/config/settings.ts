import {
  type Check,
  existingFile,
  folder,
  hostName,
  links,
  longSecret,
  oneOf,
  secretFile,
  text,
  webAddress,
  webAddresses,
  wholeNumber,
} from './checks.ts'

export interface Setting<T> {
  readonly name: string
  /** The default as text; undefined: no default. */
  readonly fallback: string | undefined
  readonly meaning: string
  readonly check: Check<T>
  /** Never repeated in a message. */
  readonly secret: boolean
}

const setting = <T>(name: string, fallback: string, check: Check<T>, meaning: string): Setting<T> => {
  return { name, fallback, meaning, check, secret: false }
}
const optional = <T>(name: string, check: Check<T>, meaning: string): Setting<T | undefined> => {
  return { name, fallback: undefined, meaning, check, secret: false }
}
const secret = <T>(name: string, check: Check<T>, meaning: string): Setting<T | undefined> => {
  return { ...optional(name, check, meaning), secret: true }
}
const rpc = (chain: string) =>
  `Your RPC endpoints of ${chain}, separated by commas. Unset: the service's in sandbox, none in live`

/** Every setting of the agent. The parser and `docs/agent-settings.md` derive from this table. */
export const SETTINGS = {
  url: setting('WEIR_URL', 'http://127.0.0.1:3000', webAddress, 'Address of the service'),
  apiKey: secret('WEIR_API_KEY', text, "The organization's API key; this or WEIR_API_KEY_FILE is required"),
  apiKeyFile: optional('WEIR_API_KEY_FILE', secretFile, 'File with that key'),
  environment: setting(
    'AGENT_ENV',
    'sandbox',
    oneOf('sandbox', 'live'),
    'Selects the list of venues and tokens; in sandbox the embedded chains serve as RPC endpoints',
  ),
  allowList: optional(
    'ALLOW_LIST',
    existingFile,
    'Your own list of chains, tokens and venues, in place of the built-in one',
  ),
  limits: optional(
    'LIMITS',
    existingFile,
    'JSON file with limits by hour and day for amounts and fees (docs/agent.md). Unset: none',
  ),
  approvers: optional(
    'APPROVERS',
    existingFile,
    'JSON file with the people whose passkeys approve operations (docs/agent.md). Unset: the agent requires no signed approvals',
  ),
  dir: setting('AGENT_DIR', '.agent', folder, 'Folder of the journal and the local keys'),
  journalId: optional(
    'JOURNAL_ID',
    text,
    "The id of the journal, from the start's log line. If set, the agent starts with this journal only",
  ),
  signer: setting('SIGNER', 'keystore', oneOf('keystore', 'http', 'kms'), 'Holder of the keys (docs/signers.md)'),
  passphrase: secret(
    'KEYSTORE_PASSPHRASE',
    text,
    'Opens the local keys; this or KEYSTORE_PASSPHRASE_FILE for SIGNER=keystore',
  ),
  passphraseFile: optional('KEYSTORE_PASSPHRASE_FILE', secretFile, 'File with that passphrase'),
  keystoreDir: optional('KEYSTORE_DIR', folder, 'Folder of the local keys. Unset: `keys` in AGENT_DIR'),
  derivation: setting(
    'KEYSTORE_KDF',
    'standard',
    oneOf('standard', 'light'),
    'How new local keys are sealed. `standard`: opening a key takes 128 MB and a good part of a second. `light`: 4 MB and a fifth of the time, with a random passphrase of 32 characters or more',
  ),
  signerUrl: optional('SIGNER_URL', webAddress, 'Address of the signer for SIGNER=http'),
  signerSecret: secret(
    'SIGNER_SECRET',
    longSecret,
    'Authenticates agent and signer to each other: 32 characters or more; this or SIGNER_SECRET_FILE',
  ),
  signerSecretFile: optional('SIGNER_SECRET_FILE', (given) => longSecret(secretFile(given)), 'File with that secret'),
  kmsRegion: optional(
    'KMS_REGION',
    text,
    'Region of the keys for SIGNER=kms; credentials are found as the vendor documents',
  ),
  kmsEndpoint: optional('KMS_ENDPOINT', webAddress, 'Another address of the key service, such as a private endpoint'),
  ethereumRpcUrls: secret('ETHEREUM_RPC_URL', webAddresses, rpc('Ethereum')),
  polygonRpcUrls: secret('POLYGON_RPC_URL', webAddresses, rpc('Polygon')),
  baseRpcUrls: secret('BASE_RPC_URL', webAddresses, rpc('Base')),
  solanaRpcUrls: secret('SOLANA_RPC_URL', webAddresses, rpc('Solana')),
  privateLinks: optional(
    'PRIVATE_LINKS',
    links,
    'Hosts and networks that live may reach by plain http, because the link to them is private: host names, addresses and CIDRs, separated by commas. Loopback addresses need no entry',
  ),
  leaseMs: setting(
    'LEASE_MS',
    '60000',
    wholeNumber(1_000, 600_000),
    'Milliseconds for which work is leased; the lease is renewed while a signer takes longer',
  ),
  waitMs: setting('POLL_WAIT_MS', '25000', wholeNumber(0, 30_000), 'Milliseconds for which a poll waits for work'),
  concurrency: setting('CONCURRENCY', '4', wholeNumber(1, 64), 'Transactions processed at the same time'),
  resendMs: setting(
    'RESEND_MS',
    '15000',
    wholeNumber(100, 600_000),
    'Milliseconds between checks of signed transactions that are not final; lost ones are sent again',
  ),
  unknownWallet: setting(
    'UNKNOWN_WALLET',
    'fail',
    oneOf('fail', 'leave'),
    'For a wallet whose key is not here: `fail` reports the transaction as failed; `leave` lets the lease expire, for another agent that has the key',
  ),
  port: setting(
    'AGENT_PORT',
    '9464',
    wholeNumber(0, 65_535),
    'Port of /health, /ready and /metrics; 0 picks a free one',
  ),
  host: setting('AGENT_HOST', '127.0.0.1', hostName, 'Address to listen on'),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'Lowest level that is logged',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    'auto',
    oneOf('auto', 'pretty', 'json'),
    'Form of the log on stderr: `json`, one object a line; `pretty`, for people (docs/logs.md). `auto`: `pretty` on a terminal, `json` elsewhere',
  ),
} as const

export type Values = {
  readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer T> ? T : never
}
