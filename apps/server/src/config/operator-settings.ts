import { allowedHosts } from './allowed-hosts.ts'
import { optional, setting } from './define-setting.ts'
import { hostName, readableFile, wholeNumber } from './setting-parsers.ts'

const quota = (name: string, defaultValue: string, objects: string) =>
  setting(name, defaultValue, wholeNumber(0, 1_000_000_000), `${objects} that an organization may have`)

/** What one organization may have and send; each can be overridden for an organization (docs/operating.md). */
/** What a quota counts. */
export type CountedKind =
  | 'apiKeys'
  | 'members'
  | 'walletProfiles'
  | 'wallets'
  | 'webhooks'
  | 'rampAccounts'
  | 'recipients'
  | 'savedViews'
  | 'pendingOperations'
  | 'pendingVerifications'

const QUOTA_SETTINGS = {
  rateLimitOrganization: setting(
    'RATE_LIMIT_ORGANIZATION',
    '30000',
    wholeNumber(1, 1_000_000_000),
    'Requests per minute of all keys and users of an organization together',
  ),
  quotaApiKeys: quota('QUOTA_API_KEYS', '1000', 'API keys'),
  quotaMembers: quota('QUOTA_MEMBERS', '1000', 'Members'),
  quotaWalletProfiles: quota('QUOTA_WALLET_PROFILES', '1000', 'Wallet profiles'),
  quotaWallets: quota('QUOTA_WALLETS', '1000000', 'Wallets'),
  quotaWebhooks: quota('QUOTA_WEBHOOKS', '100', 'Webhooks'),
  quotaRampAccounts: quota('QUOTA_RAMP_ACCOUNTS', '100000', 'On-ramp and off-ramp accounts'),
  quotaRecipients: quota('QUOTA_RECIPIENTS', '100000', 'Recipients'),
  quotaSavedViews: setting(
    'QUOTA_SAVED_VIEWS',
    '10000',
    wholeNumber(0, 1_000_000_000),
    'Saved views of the dashboard that an organization may have; one member may make a tenth of them',
  ),
  quotaPendingOperations: quota('QUOTA_PENDING_OPERATIONS', '100000', 'Unfinished operations'),
  quotaPendingVerifications: quota('QUOTA_PENDING_VERIFICATIONS', '10000', 'Undecided verifications'),
} as const

/** Settings of the operator: what an organization may use, certificates, metrics, links. */
export const OPERATOR_SETTINGS = {
  ...QUOTA_SETTINGS,
  personalDataRetentionDays: optional(
    'PERSONAL_DATA_RETENTION_DAYS',
    wholeNumber(1, 36_500),
    'Days after which the personal data of an archived recipient or a deleted organization is erased (docs/personal-data.md). Unset: never',
  ),
  tlsCertFile: optional(
    'TLS_CERT_FILE',
    readableFile,
    'File with the certificate and its chain in PEM: the service then speaks HTTPS, TLS 1.2 or newer. Read again when the file changes, and on SIGHUP. Requires TLS_KEY_FILE. Unset: plain HTTP',
  ),
  tlsKeyFile: optional('TLS_KEY_FILE', readableFile, 'File with the private key of TLS_CERT_FILE in PEM'),
  venuesFile: optional(
    'VENUES_FILE',
    readableFile,
    'JSON file with your own venues (docs/venues.md). Each is read on its chain at every start. Unset: venues listed before stay',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    wholeNumber(0, 65_535),
    'Port of `/metrics`, without a key and in plain HTTP; 0 picks a free one, and the value of PORT serves it there. Unset: in sandbox PORT, in live no port',
  ),
  metricsHost: setting('METRICS_HOST', '127.0.0.1', hostName, 'Address that METRICS_PORT listens on'),
  privateLinks: optional(
    'PRIVATE_LINKS',
    allowedHosts,
    'Hosts and networks that live may reach without TLS, because the link to them is private: host names, addresses and CIDRs, separated by commas (docs/operating.md). Loopback addresses and Unix sockets need no entry',
  ),
} as const
