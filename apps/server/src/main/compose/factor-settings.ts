import type { Config } from '../../config.ts'
import { FACTORS_PURPOSE, type FactorSettings } from '../../identity/index.ts'
import { createSealer, type RandomSource } from '../../kernel/index.ts'
import type { KeyRings } from '../keys/key-rings.ts'

interface FactorInputs {
  readonly config: Pick<Config, 'passkeys' | 'stepUpMs' | 'publicUrl'>
  readonly secrets: Pick<KeyRings, 'encryption'>
  readonly random: RandomSource
  /** The port that the service listens on. */
  readonly port: number
}

/**
 * What second factors need. Passkeys belong to the configured domain, by default to that of PUBLIC_URL, and without one
 * to localhost: a passkey cannot belong to an address such as 127.0.0.1.
 */
export function factorSettings({ config, secrets, random, port }: FactorInputs): FactorSettings {
  const { passkeys, stepUpMs, publicUrl } = config
  const sealer = createSealer(secrets.encryption, FACTORS_PURPOSE, random)
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl)
  const isDomain = publicOrigin !== undefined && /[a-z]/i.test(publicOrigin.hostname.split('.').at(-1) ?? '')
  if (passkeys.relyingPartyId !== undefined) {
    const origins = passkeys.origins ?? [`https://${passkeys.relyingPartyId}`]
    return { sealer, stepUpMs, relyingPartyId: passkeys.relyingPartyId, origins }
  }
  if (publicOrigin !== undefined && isDomain) {
    const origins = passkeys.origins ?? [publicOrigin.origin]
    return { sealer, stepUpMs, relyingPartyId: publicOrigin.hostname, origins }
  }
  return { sealer, stepUpMs, relyingPartyId: 'localhost', origins: passkeys.origins ?? [`http://localhost:${port}`] }
}
