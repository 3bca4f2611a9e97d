import { chainsProblems, endpointsOfChains } from './config/chains-problems.ts'
import type { CHAINS_SETTINGS } from './config/chains-settings.ts'
import { ConfigError } from './config/config-error.ts'
import type { DATABASE_SETTINGS } from './config/database-settings.ts'
import type { Setting } from './config/define-setting.ts'
import { foreignOrigin } from './config/foreign-origin.ts'
import { type KmsConfig, kmsConfig } from './config/key-service-settings.ts'
import { type MailConfig, mailConfig, mailProblems } from './config/mail-settings.ts'
import { type MetricsAddresses, metricsAddresses } from './config/metrics-addresses.ts'
import type { CountedKind } from './config/operator-settings.ts'
import { insecureLinks } from './config/private-links.ts'
import type { ConfiguredKeyRings, ConfiguredSecrets } from './config/secrets.ts'
import { SETTINGS, type SettingValues } from './config/settings.ts'
import { type TracingConfig, tracingConfig } from './config/tracing-settings.ts'
import type { TRANSACTION_SETTINGS } from './config/transaction-settings.ts'

export { ConfigError } from './config/config-error.ts'
export { requireDataDirectory } from './config/data-directory.ts'
export type { Setting } from './config/define-setting.ts'
export { loadKeyRings, loadSecrets, type Secrets } from './config/secrets.ts'
export { SETTINGS } from './config/settings.ts'

/** The settings of one chain. */
export interface ChainConfig {
  /** Undefined: in sandbox the embedded chain, in live the chain is not served. */
  readonly rpcUrls: readonly string[] | undefined
  /** Undefined: the node's own finality; 1 on an embedded chain. Solana always uses its own. */
  readonly confirmations: number | undefined
}

type PlainSettings = Pick<
  SettingValues,
  | 'port'
  | 'host'
  | 'environment'
  | 'role'
  | 'dataDir'
  | keyof typeof DATABASE_SETTINGS
  | keyof typeof CHAINS_SETTINGS
  | 'publicUrl'
  | 'preview'
  | 'logLevel'
  | 'logFormat'
  | 'rateLimitMultiplier'
  | 'trustedProxies'
  | 'securityEventsLog'
  | 'redisUrl'
  | 'webhookAllow'
  | 'ssoAllow'
  | 'dnsServers'
  | keyof typeof TRANSACTION_SETTINGS
  | 'personalDataRetentionDays'
  | 'venuesFile'
>

/** The checked settings. `dataDir` is absolute; `publicUrl` has no trailing slash and is undefined when unset. */
export interface Config extends PlainSettings {
  /** Who may register an organization. */
  readonly registration: NonNullable<SettingValues['registration']>
  readonly securityEventsRetentionMs: number
  /** Where anchors of the audit log go; undefined: nowhere. */
  readonly auditAnchors:
    | {
        readonly places: NonNullable<SettingValues['auditAnchor']>
        readonly intervalMs: number
        readonly secret: SettingValues['auditAnchorSecret']
      }
    | undefined
  /** Requests per minute of an organization. */
  readonly organizationRateLimit: number
  /** How many objects of a kind an organization may have. */
  readonly quotas: Readonly<Record<CountedKind, number>>
  readonly sessions: { readonly idleMs: number; readonly maxMs: number }
  readonly metrics: MetricsAddresses
  /** Files of the certificate and its key; undefined: plain HTTP. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined
  /** Where passkeys are used; undefined: derived from the public address. */
  readonly passkeys: { readonly relyingPartyId: string | undefined; readonly origins: readonly string[] | undefined }
  /** How long a verified second factor counts. */
  readonly stepUpMs: number
  /** Whether a password that another member set must be replaced first. */
  readonly assignedPasswords: NonNullable<SettingValues['assignedPasswords']>
  readonly mail: MailConfig
  /** Where traces go; undefined: nothing is traced. */
  readonly tracing: TracingConfig | undefined
  /** Whether new passwords must be strong, and where breached ones are listed. */
  readonly passwords: { readonly strength: 'enforced' | 'any'; readonly breachedUrl: string | undefined }
  readonly rebalancing: {
    /** Seconds between two full passes. */
    readonly interval: number
    readonly floor: SettingValues['rebalanceFloor']
    readonly dust: SettingValues['rebalanceDust']
    readonly horizonDays: number
    readonly withdrawHoldMs: number
    readonly depositLimits: 'conservative' | 'none'
    /** USD for one native coin, by blockchain. */
    readonly nativeUsd: Readonly<Record<'ethereum' | 'polygon' | 'base' | 'solana', SettingValues['nativeUsdBase']>>
  }
  /** For a public Solana cluster; `max` in millionths of a lamport per compute unit. */
  readonly priorityFees: { readonly percentile: number; readonly max: bigint }
  readonly chains: Readonly<Record<'ethereum' | 'polygon' | 'base' | 'solana', ChainConfig>>
  /** The banking partner; its settings are complete. */
  readonly ramp:
    | { readonly provider: 'sandbox' | 'none' }
    | {
        readonly provider: 'bridge'
        readonly apiKey: string
        readonly baseUrl: string
        readonly webhookPublicKey: string
        readonly contactEmail: string
        readonly pollSeconds: number
      }
  readonly secrets: ConfiguredSecrets
  /** Secrets that were configured as several keys with ids; `secrets` lacks these. */
  readonly keyRings: ConfiguredKeyRings
  /** AWS KMS, which wraps the data keys that seal; undefined: the encryption ring seals. */
  readonly encryptionKms: KmsConfig | undefined
}

/**
 * Reads and checks every setting (contract 2); empty text counts as unset. Throws one {@link ConfigError} with a line
 * for every wrong setting, so that an operator can fix them all at once.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems = new Map<string, string>()
  const entries = Object.entries(SETTINGS).map(([key, setting]) => [key, readOne(setting, env, problems)])
  const values = Object.fromEntries(entries) as SettingValues
  for (const [name, sentence] of requirements(values)) if (!problems.has(name)) problems.set(name, sentence)
  if (values.environment === 'live' && env[UNVERIFIED_TLS] === '0') {
    const sentence = 'must not be 0 when SERVICE_ENV is live: no certificate would be verified'
    problems.set(UNVERIFIED_TLS, `${sentence}; name your own authority in NODE_EXTRA_CA_CERTS`)
  }
  if (problems.size > 0) throw new ConfigError([...problems].map(([name, sentence]) => `${name} ${sentence}`))
  return arrange(values)
}

/** Node's own switch, which turns off what PRIVATE_LINKS and sslmode ask for. */
const UNVERIFIED_TLS = 'NODE_TLS_REJECT_UNAUTHORIZED'

function readOne(
  setting: Setting<unknown>,
  env: Readonly<Record<string, string | undefined>>,
  problems: Map<string, string>,
): unknown {
  const text = env[setting.name] || setting.defaultValue
  if (text === undefined) return undefined
  try {
    return setting.parse(text)
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error)
    problems.set(setting.name, setting.secret ? sentence : `${sentence}, not "${text}"`)
    return undefined
  }
}

/** What one setting requires of others. */
function requirements(values: SettingValues): [name: string, sentence: string][] {
  const list: [string, string][] = []
  const live = values.environment === 'live'
  // An invalid ROLE makes no demands on other settings: it is reported in one line, not three.
  const isPart = values.role === 'api' || values.role === 'worker'
  if (values.databaseUrl === undefined) {
    if (live) list.push(['DATABASE_URL', 'must be set when SERVICE_ENV is live'])
    else if (isPart) {
      list.push(['DATABASE_URL', 'must be set when ROLE is not all: the embedded database serves one process'])
    }
  }
  if (values.auditAnchor?.some(({ kind }) => kind === 'webhook') && values.auditAnchorSecret === undefined)
    list.push(['AUDIT_ANCHOR_SECRET', 'must be set when AUDIT_ANCHOR names a webhook'])
  list.push(...chainsProblems(values), ...foreignOrigin(values))
  if (values.rampProvider === 'bridge') {
    for (const key of ['bridgeApiKey', 'bridgeWebhookPublicKey', 'bridgeContactEmail'] as const)
      if (values[key] === undefined) list.push([SETTINGS[key].name, 'must be set when RAMP_PROVIDER is bridge'])
  }
  if ((values.tlsCertFile === undefined) !== (values.tlsKeyFile === undefined)) {
    const missing = values.tlsCertFile === undefined ? SETTINGS.tlsCertFile.name : SETTINGS.tlsKeyFile.name
    list.push([missing, 'must be set too: a certificate needs its key'])
  }
  for (const [single, several] of SECRET_SETTINGS) {
    if (values[single] === undefined || values[several] === undefined) continue
    list.push([
      SETTINGS[single].name,
      `must not be set along with ${SETTINGS[several].name}: add it there with the id 0`,
    ])
  }
  list.push(...mailProblems(values))
  if (!live) return list
  list.push(...insecureLinks(values))
  if (values.rampProvider === 'sandbox') list.push(['RAMP_PROVIDER', 'must be none or bridge when SERVICE_ENV is live'])
  if (endpointsOfChains(values).every((urls) => urls === undefined)) {
    const others = 'POLYGON_RPC_URL, BASE_RPC_URL or SOLANA_RPC_URL'
    list.push(['ETHEREUM_RPC_URL', `must be set when SERVICE_ENV is live, or ${others}`])
  }
  for (const [single, several] of SECRET_SETTINGS) {
    if (values[single] !== undefined || values[several] !== undefined) continue
    if (single === 'encryptionKey' && values.encryptionKmsKeyIds && values.encryptionKmsSeals) continue
    list.push([SETTINGS[single].name, 'must be set when SERVICE_ENV is live'])
  }
  return list
}

/** Each secret as one key, and as several with ids. */
const SECRET_SETTINGS = [
  ['jwtSecret', 'jwtSecrets'],
  ['apiKeyPepper', 'apiKeyPeppers'],
  ['encryptionKey', 'encryptionKeys'],
] as const

function arrange(values: SettingValues): Config {
  const { smtpUrl: _server, mailFrom: _sender, accountUrl: _page, emailVerification: _proof, ...all } = values
  const { ethereumRpcUrls, polygonRpcUrls, baseRpcUrls, solanaRpcUrls, ...others } = all
  const { ethereumConfirmations, polygonConfirmations, baseConfirmations, ...rest } = others
  const { jwtSecret: jwt, apiKeyPepper: pepper, encryptionKey: encryption, ...unringed } = rest
  const { jwtSecrets, apiKeyPeppers, encryptionKeys, ...keyless } = unringed
  const { solanaPriorityFeePercentile: percentile, solanaPriorityFeeMax, ...feeless } = keyless
  const { rebalanceInterval, rebalanceFloor, rebalanceDust, rebalanceHorizonDays, withdrawHold, ...priced } = feeless
  const { nativeUsdEthereum, nativeUsdPolygon, nativeUsdBase, nativeUsdSolana, ...unramped } = priced
  const { rampProvider, bridgeApiKey, bridgeBaseUrl, bridgeWebhookPublicKey, ...bridgeless } = unramped
  const { bridgeContactEmail, bridgePollSeconds, sessionIdleDays, sessionMaxDays, ...lasting } = bridgeless
  const { securityEventsRetentionDays, webauthnRpId, webauthnOrigins, stepUpMinutes, ...timeless } = lasting
  const { tlsCertFile, tlsKeyFile, metricsPort, metricsHost, privateLinks: _checked, ...guarded } = timeless
  const { passwordStrength, breachedPasswordsUrl, depositLimits, rateLimitOrganization, ...limited } = guarded
  const { quotaApiKeys, quotaMembers, quotaWalletProfiles, quotaWallets, quotaWebhooks, ...counted } = limited
  const { quotaRampAccounts, quotaRecipients, quotaSavedViews, ...pending } = counted
  const { quotaPendingOperations, quotaPendingVerifications, ...anchored } = pending
  const { auditAnchor: places, auditAnchorMinutes, auditAnchorSecret: secret, ...wrapped } = anchored
  const { encryptionKmsKeyIds: _ids, encryptionKmsInstallation: _name, ...sealing } = wrapped
  const { encryptionKmsSeals: _seals, kmsEndpoint: _link, ...plain } = sealing
  return {
    ...plain,
    registration: plain.registration ?? (plain.environment === 'live' ? 'closed' : 'open'),
    auditAnchors: places && { places, intervalMs: auditAnchorMinutes * 60_000, secret },
    securityEventsRetentionMs: daysInMs(securityEventsRetentionDays),
    organizationRateLimit: rateLimitOrganization,
    quotas: {
      apiKeys: quotaApiKeys,
      members: quotaMembers,
      walletProfiles: quotaWalletProfiles,
      wallets: quotaWallets,
      webhooks: quotaWebhooks,
      rampAccounts: quotaRampAccounts,
      recipients: quotaRecipients,
      savedViews: quotaSavedViews,
      pendingOperations: quotaPendingOperations,
      pendingVerifications: quotaPendingVerifications,
    },
    metrics: metricsAddresses(plain, metricsPort, metricsHost),
    tls: tlsCertFile && tlsKeyFile ? { certFile: tlsCertFile, keyFile: tlsKeyFile } : undefined,
    sessions: { idleMs: daysInMs(sessionIdleDays), maxMs: daysInMs(sessionMaxDays) },
    passkeys: { relyingPartyId: webauthnRpId, origins: webauthnOrigins },
    stepUpMs: stepUpMinutes * 60_000,
    assignedPasswords: plain.assignedPasswords ?? (plain.environment === 'live' ? 'one-time' : 'lasting'),
    mail: mailConfig(values),
    tracing: tracingConfig(values),
    passwords: {
      strength: passwordStrength ?? (plain.environment === 'live' ? 'enforced' : 'any'),
      breachedUrl: breachedPasswordsUrl,
    },
    rebalancing: {
      interval: rebalanceInterval,
      floor: rebalanceFloor,
      dust: rebalanceDust,
      horizonDays: rebalanceHorizonDays,
      withdrawHoldMs: withdrawHold * 1_000,
      depositLimits: depositLimits ?? (plain.environment === 'live' ? 'conservative' : 'none'),
      nativeUsd: {
        ethereum: nativeUsdEthereum,
        polygon: nativeUsdPolygon,
        base: nativeUsdBase,
        solana: nativeUsdSolana,
      },
    },
    priorityFees: { percentile, max: BigInt(solanaPriorityFeeMax) },
    chains: {
      ethereum: { rpcUrls: ethereumRpcUrls, confirmations: ethereumConfirmations },
      polygon: { rpcUrls: polygonRpcUrls, confirmations: polygonConfirmations },
      base: { rpcUrls: baseRpcUrls, confirmations: baseConfirmations },
      solana: { rpcUrls: solanaRpcUrls, confirmations: undefined },
    },
    ramp:
      rampProvider === 'bridge'
        ? {
            provider: rampProvider,
            apiKey: bridgeApiKey ?? '',
            baseUrl: bridgeBaseUrl,
            webhookPublicKey: bridgeWebhookPublicKey ?? '',
            contactEmail: bridgeContactEmail ?? '',
            pollSeconds: bridgePollSeconds,
          }
        : { provider: rampProvider ?? (plain.environment === 'live' ? 'none' : 'sandbox') },
    secrets: { jwt, pepper, encryption },
    keyRings: { jwt: jwtSecrets, pepper: apiKeyPeppers, encryption: encryptionKeys },
    encryptionKms: kmsConfig(values),
  }
}

const daysInMs = (days: number): number => days * 86_400_000
