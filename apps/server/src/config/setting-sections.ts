import { SETTINGS } from './settings.ts'

type ServiceSetting = (typeof SETTINGS)[keyof typeof SETTINGS]

export interface SettingSection {
  readonly title: string
  readonly settings: readonly ServiceSetting[]
}

/** The subjects of the settings, in the order in which an operator meets them. */
const SUBJECTS: readonly (readonly [title: string, names: RegExp])[] = [
  ['Address and environment', /^(?:PORT|HOST|SERVICE_ENV|ROLE|DATA_DIR|PUBLIC_URL|TRUSTED_PROXIES|TLS_.+|PREVIEW)$/],
  ['Secrets and keys', /^(?:JWT_|API_KEY_PEPPER|ENCRYPTION_|AWS_ENDPOINT_URL_KMS)/],
  ['Database', /^DATABASE_/],
  ['Chains', /^(?:CHAINS_|(?:ETHEREUM|POLYGON|BASE|SOLANA)_(?:RPC_URL|CONFIRMATIONS)$)/],
  ['Transactions', /^(?:INCLUSION_|REPLACE_|DROPPED_|SOLANA_PRIORITY_)/],
  ['Rebalancing and venues', /^(?:REBALANCE_|WITHDRAW_HOLD|DEPOSIT_LIMITS|NATIVE_USD_|VENUES_FILE)/],
  ['Ramp', /^(?:RAMP_PROVIDER|BRIDGE_)/],
  ['Sign-in and passwords', /^(?:REGISTRATION|SESSION_|STEP_UP_|PASSWORD_|BREACHED_|ASSIGNED_|WEBAUTHN_)/],
  ['Mail', /^(?:SMTP_URL|MAIL_FROM|ACCOUNT_URL|EMAIL_VERIFICATION)$/],
  ['Outgoing connections', /^(?:WEBHOOK_ALLOW|SSO_ALLOW|DNS_SERVERS|PRIVATE_LINKS)$/],
  ['Rate limits and quotas', /^(?:RATE_LIMIT_|REDIS_URL|QUOTA_)/],
  ['Audit and retention', /^(?:AUDIT_|SECURITY_EVENTS_|EVENTS_RETENTION|PERSONAL_DATA_)/],
  ['Logs, metrics and traces', /^(?:LOG_|METRICS_|OTEL_|TRACE_)/],
]

/** Every setting below its subject. Throws when one has none, or several. */
export function settingSections(): SettingSection[] {
  const settings: readonly ServiceSetting[] = Object.values(SETTINGS)
  for (const { name } of settings) {
    const subjects = SUBJECTS.filter(([, names]) => names.test(name))
    if (subjects.length !== 1) throw new Error(`${name} has ${subjects.length} subjects in setting-sections.ts`)
  }
  return SUBJECTS.map(([title, names]) => ({ title, settings: settings.filter(({ name }) => names.test(name)) }))
}
