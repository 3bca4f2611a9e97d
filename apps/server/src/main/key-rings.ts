import { type Config, loadKeyRings } from '../config.ts'
import { type KeyRing, keyRing } from '../kernel/index.ts'

/** The keys of the service, each ring for one purpose: a stolen key opens nothing else. */
export interface KeyRings {
  /** Signs access tokens. */
  readonly jwt: KeyRing
  /** Keys the hashes of API keys and refresh tokens. */
  readonly pepper: KeyRing
  /** Encrypts stored text that must be read again; 64 hexadecimal digits each. */
  readonly encryption: KeyRing
}

/** The configured rings, or the secrets of DATA_DIR as rings of one key. */
export function keyRingsOf(config: Pick<Config, 'dataDir' | 'secrets' | 'keyRings'>): KeyRings {
  const { jwt, pepper, encryption } = loadKeyRings(config)
  return { jwt: keyRing(jwt), pepper: keyRing(pepper), encryption: keyRing(encryption) }
}
