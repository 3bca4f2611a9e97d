import { allowedHosts } from './allowed-hosts.ts'
import { anchorPlaces, webhookSecret } from './anchor-places.ts'
import { CHAINS_SETTINGS } from './chains-settings.ts'
import { DATABASE_SETTINGS } from './database-settings.ts'
import { optional, type Setting, secret, setting } from './define-setting.ts'
import { keysOf } from './key-ring-parser.ts'
import { KEY_SERVICE_SETTINGS } from './key-service-settings.ts'
import { MAIL_SETTINGS } from './mail-settings.ts'
import { OPERATOR_SETTINGS } from './operator-settings.ts'
import { PASSWORD_SETTINGS } from './password-settings.ts'
import {
  apiUrl,
  decimalNumber,
  directory,
  dnsServers,
  domainName,
  flag,
  hexKey,
  hostName,
  longSecret,
  mailbox,
  oneOf,
  outputFile,
  positiveNumber,
  publicUrl,
  rpcUrls,
  rsaPublicKey,
  type SettingParser,
  urlOf,
  webOrigins,
  wholeNumber,
} from './setting-parsers.ts'
import { TRACING_SETTINGS } from './tracing-settings.ts'
import { TRANSACTION_SETTINGS } from './transaction-settings.ts'
import { trustedProxies } from './trusted-proxies.ts'

const rpc = (chain: string) =>
  `RPC endpoints of ${chain}, separated by commas; the next one serves while one is unavailable or has only old blocks. Unset: the embedded chain in sandbox, none in live`
const depth = (chain: string) =>
  `Confirmations, counting the including block, after which a transaction on ${chain} is final. Unset: what the node calls finalized; 1 on an embedded chain`
const nativeUsd = (chain: string) =>
  `Price of one native coin of ${chain} in USD, to compare gas with yield. Unset: gas counts as nothing`
const confirmations = wholeNumber(1, 10_000)
const bridgeKey: SettingParser<string> = (text) => {
  if (/^[\x21-\x7e]{8,512}$/.test(text)) return text
  throw new RangeError('must be a key: 8 to 512 characters without spaces')
}
const requiredForBridge = 'Required when RAMP_PROVIDER is bridge'
const ring = (single: string) =>
  `with their ids, \`id:key,id:key\`, instead of ${single}, whose key has the id 0: the first is current (docs/secrets.md)`
const generatedInSandbox = 'Required in live; in sandbox generated once and kept in DATA_DIR/secrets.json'

/** Every setting of the service (contract 2). Both the parser and `docs/settings.md` are made from this table. */
export const SETTINGS = {
  port: setting('PORT', '3000', wholeNumber(0, 65_535), 'Port to listen on; 0 picks a free one'),
  host: setting('HOST', '127.0.0.1', hostName, 'Address to listen on; 0.0.0.0 opens the service to the network'),
  environment: setting(
    'SERVICE_ENV',
    'sandbox',
    oneOf('sandbox', 'live'),
    '`sandbox` uses development chains and demo data, `live` moves real money',
  ),
  role: setting(
    'ROLE',
    'all',
    oneOf('all', 'api', 'worker'),
    '`api` serves requests, `worker` follows the chains and runs background work, `all` does both. Several processes need DATABASE_URL',
  ),
  dataDir: setting(
    'DATA_DIR',
    '.data',
    directory,
    'Folder of the embedded database, the embedded chains, the agents that the sandbox runs, and the secrets',
  ),
  ...DATABASE_SETTINGS,
  publicUrl: optional(
    'PUBLIC_URL',
    publicUrl,
    'Public address of the service; every URL that it returns begins with it. Unset: `http://HOST:PORT`',
  ),
  trustedProxies: optional(
    'TRUSTED_PROXIES',
    trustedProxies,
    'Addresses and networks (CIDR) of the proxies in front of the service, separated by commas, whose `X-Forwarded-For` is believed. Unset: none',
  ),
  registration: optional(
    'REGISTRATION',
    oneOf('open', 'invite', 'closed'),
    'Who may register an organization: everyone, holders of an invitation (`weir invite`), or nobody. Unset: `open` in sandbox, `closed` in live',
  ),
  sessionIdleDays: setting(
    'SESSION_IDLE_DAYS',
    '30',
    wholeNumber(1, 3_650),
    'Days after which a session that was not refreshed ends',
  ),
  sessionMaxDays: setting(
    'SESSION_MAX_DAYS',
    '90',
    wholeNumber(1, 3_650),
    'Days after its sign-in at which a session ends',
  ),
  assignedPasswords: optional(
    'ASSIGNED_PASSWORDS',
    oneOf('one-time', 'lasting'),
    'A password that another member sets: `one-time` must be replaced within a week and before anything else, and its user approves no operation for 24 hours; `lasting` works like any other. Unset: `lasting` in sandbox, `one-time` in live',
  ),
  auditAnchor: optional(
    'AUDIT_ANCHOR',
    anchorPlaces,
    'Where the heads of the audit logs are sent: `file:PATH`, `https://...` (a signed webhook), `rfc3161:URL` (a time stamp authority), or several of them, separated by commas. Unset: nowhere',
  ),
  auditAnchorMinutes: setting(
    'AUDIT_ANCHOR_MINUTES',
    '60',
    wholeNumber(1, 10_080),
    'Minutes between two anchors; without a new entry there is none',
  ),
  auditAnchorSecret: secret(
    'AUDIT_ANCHOR_SECRET',
    webhookSecret,
    'Signs the webhook of AUDIT_ANCHOR: `whsec_` and 24 to 64 bytes in base64. Required with it',
  ),
  ...PASSWORD_SETTINGS,
  securityEventsRetentionDays: setting(
    'SECURITY_EVENTS_RETENTION_DAYS',
    '90',
    wholeNumber(1, 3_650),
    'Days after which security events are deleted',
  ),
  securityEventsLog: setting(
    'SECURITY_EVENTS_LOG',
    'off',
    outputFile,
    'Where security events are also written, one line of JSON each: `stdout`, the path of a file, or `off`',
  ),
  webauthnRpId: optional(
    'WEBAUTHN_RP_ID',
    domainName,
    'Domain of passkeys (relying party id): that of the pages that use them, or a parent of it. Changing it makes every passkey unknown. Unset: the domain of PUBLIC_URL, or `localhost`',
  ),
  webauthnOrigins: optional(
    'WEBAUTHN_ORIGINS',
    webOrigins,
    'Origins of the pages that use passkeys, separated by commas. Unset: the origin of PUBLIC_URL, or `http://localhost:PORT`; with WEBAUTHN_RP_ID `https://` and that domain',
  ),
  stepUpMinutes: setting(
    'STEP_UP_MINUTES',
    '15',
    wholeNumber(1, 1_440),
    'Minutes for which a verified second factor lets a session do what needs a step-up, such as approving operations or changing policy, keys and deposit limits',
  ),
  preview: setting('PREVIEW', '0', flag, '`1` enables what the specification announces as planned'),
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
  rateLimitMultiplier: setting('RATE_LIMIT_MULTIPLIER', '1', positiveNumber(1_000_000), 'Multiplies every rate limit'),
  redisUrl: secret('REDIS_URL', urlOf('redis:', 'rediss:'), 'Redis that counts rate limits across processes'),
  ...OPERATOR_SETTINGS,
  ...TRACING_SETTINGS,
  ...MAIL_SETTINGS,
  ethereumRpcUrls: secret('ETHEREUM_RPC_URL', rpcUrls, rpc('Ethereum')),
  polygonRpcUrls: secret('POLYGON_RPC_URL', rpcUrls, rpc('Polygon')),
  baseRpcUrls: secret('BASE_RPC_URL', rpcUrls, rpc('Base')),
  solanaRpcUrls: secret('SOLANA_RPC_URL', rpcUrls, rpc('Solana')),
  ...CHAINS_SETTINGS,
  ethereumConfirmations: optional('ETHEREUM_CONFIRMATIONS', confirmations, depth('Ethereum')),
  polygonConfirmations: optional('POLYGON_CONFIRMATIONS', confirmations, depth('Polygon')),
  baseConfirmations: optional('BASE_CONFIRMATIONS', confirmations, depth('Base')),
  ...TRANSACTION_SETTINGS,
  solanaPriorityFeePercentile: setting(
    'SOLANA_PRIORITY_FEE_PERCENTILE',
    '75',
    wholeNumber(0, 100),
    'Percentile of the priority fees paid in recent blocks of Solana to offer, up to SOLANA_PRIORITY_FEE_MAX',
  ),
  solanaPriorityFeeMax: setting(
    'SOLANA_PRIORITY_FEE_MAX',
    '1000000',
    wholeNumber(0, 1_000_000_000),
    'Maximum priority fee on Solana, in millionths of a lamport per compute unit: 1000000 is 0.0002 SOL for a usual transaction',
  ),
  webhookAllow: optional(
    'WEBHOOK_ALLOW',
    allowedHosts,
    'Hosts and networks that webhooks may reach besides the public internet: host names, addresses and CIDRs, separated by commas. The sandbox also allows loopback addresses and plain http',
  ),
  ssoAllow: optional(
    'SSO_ALLOW',
    allowedHosts,
    'Hosts and networks of identity providers besides the public internet: host names, addresses and CIDRs, separated by commas. The sandbox also allows loopback addresses and plain http',
  ),
  dnsServers: optional(
    'DNS_SERVERS',
    dnsServers,
    'Name servers for the TXT records that prove domains: addresses, each with an optional port, separated by commas. Unset: those of the host',
  ),
  rebalanceInterval: setting(
    'REBALANCE_INTERVAL',
    '60',
    wholeNumber(1, 86_400),
    'Seconds between passes over all operational wallets; changes are evaluated at once',
  ),
  rebalanceFloor: setting('REBALANCE_FLOOR', '1', decimalNumber, 'Smallest deployment in tokens'),
  rebalanceDust: setting(
    'REBALANCE_DUST',
    '0.01',
    decimalNumber,
    'Smallest shortfall of a buffer, in tokens, that causes a withdrawal',
  ),
  rebalanceHorizonDays: setting(
    'REBALANCE_HORIZON_DAYS',
    '30',
    wholeNumber(1, 3_650),
    'Days within which a deployment must earn more than the gas of its deposit and withdrawal',
  ),
  withdrawHold: setting(
    'WITHDRAW_HOLD',
    '3600',
    wholeNumber(0, 31_536_000),
    'Seconds for which a requested withdrawal is not deployed again automatically',
  ),
  depositLimits: optional(
    'DEPOSIT_LIMITS',
    oneOf('conservative', 'none'),
    'Limits on automatic deposits of organizations that set none: `none`, or `conservative` (docs/risk.md). Unset: `none` in sandbox, `conservative` in live',
  ),
  nativeUsdEthereum: optional('NATIVE_USD_ETHEREUM', decimalNumber, nativeUsd('Ethereum')),
  nativeUsdPolygon: optional('NATIVE_USD_POLYGON', decimalNumber, nativeUsd('Polygon')),
  nativeUsdBase: optional('NATIVE_USD_BASE', decimalNumber, nativeUsd('Base')),
  nativeUsdSolana: optional('NATIVE_USD_SOLANA', decimalNumber, nativeUsd('Solana')),
  rampProvider: optional(
    'RAMP_PROVIDER',
    oneOf('sandbox', 'none', 'bridge'),
    'Banking partner behind the ramp: `sandbox`, a built-in simulator; `bridge` for bridge.xyz; `none`: nothing new begins. Unset: `sandbox` in sandbox, `none` in live',
  ),
  bridgeApiKey: secret('BRIDGE_API_KEY', bridgeKey, `Key of the Bridge API. ${requiredForBridge}`),
  bridgeBaseUrl: setting(
    'BRIDGE_BASE_URL',
    'https://api.bridge.xyz',
    apiUrl,
    'Address of the Bridge API, without its version',
  ),
  bridgeWebhookPublicKey: secret(
    'BRIDGE_WEBHOOK_PUBLIC_KEY',
    rsaPublicKey,
    `Public key that Bridge generated for the webhook to \`/ramp/events\`, in PEM; line breaks may be written as \`\\n\`. ${requiredForBridge}`,
  ),
  bridgeContactEmail: optional(
    'BRIDGE_CONTACT_EMAIL',
    mailbox,
    `Mailbox given to Bridge for customers, with a tag for each after a +. ${requiredForBridge}`,
  ),
  bridgePollSeconds: setting(
    'BRIDGE_POLL_SECONDS',
    '300',
    wholeNumber(1, 86_400),
    "Seconds between readings of Bridge's lists for missed webhooks",
  ),
  jwtSecret: secret('JWT_SECRET', longSecret, `Signs access tokens: 32 characters or more. ${generatedInSandbox}`),
  apiKeyPepper: secret(
    'API_KEY_PEPPER',
    longSecret,
    `Hashes stored API keys: 32 characters or more. Changing it invalidates every key. ${generatedInSandbox}`,
  ),
  encryptionKey: secret(
    'ENCRYPTION_KEY',
    hexKey,
    `Encrypts stored secrets: 64 hexadecimal digits. Required in live without ENCRYPTION_KMS_KEY_ID; in sandbox generated once and kept in DATA_DIR/secrets.json`,
  ),
  jwtSecrets: secret('JWT_SECRETS', keysOf(longSecret), `Several secrets for access tokens ${ring('JWT_SECRET')}`),
  apiKeyPeppers: secret(
    'API_KEY_PEPPERS',
    keysOf(longSecret),
    `Several peppers ${ring('API_KEY_PEPPER')}; an API key moves to the current pepper when it is used`,
  ),
  encryptionKeys: secret(
    'ENCRYPTION_KEYS',
    keysOf(hexKey),
    `Several encryption keys ${ring('ENCRYPTION_KEY')}; \`weir rotate-secrets\` moves stored values to the current one`,
  ),
  ...KEY_SERVICE_SETTINGS,
} as const

/** The value of each setting, by its name in the table. */
export type SettingValues = {
  readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer T> ? T : never
}
