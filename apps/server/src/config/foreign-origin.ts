import type { SettingValues } from './settings.ts'

/** Reports an origin that passkeys of the configured domain do not work on. */
export function foreignOrigin(values: SettingValues): [name: string, sentence: string][] {
  const { webauthnRpId: domain, webauthnOrigins: origins = [] } = values
  if (domain === undefined) return []
  const foreign = origins.find((origin) => !`.${new URL(origin).hostname}`.endsWith(`.${domain}`))
  return foreign === undefined
    ? []
    : [['WEBAUTHN_ORIGINS', `must be of the domain WEBAUTHN_RP_ID or below it, not ${foreign}`]]
}
