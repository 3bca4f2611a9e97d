import { type Config, ConfigError, type loadKeyRings } from '../../config.ts'
import type { Database } from '../../database/index.ts'
import { type Clock, type KeyRing, keyRing, type Log } from '../../kernel/index.ts'
import { connectAwsKms, createFirstDataKey, isDataKeyId, KeyServiceError, openDataKeys } from '../../secrets/index.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'

/** The keys of the service, each ring for one purpose: a stolen key opens nothing else. */
export interface KeyRings {
  /** Signs access tokens. */
  readonly jwt: KeyRing
  /** Keys the hashes of API keys and refresh tokens. */
  readonly pepper: KeyRing
  /** Encrypts stored text that must be read again; 64 hexadecimal digits each. */
  readonly encryption: KeyRing
}

interface KeyParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

type LoadedKeys = ReturnType<typeof loadKeyRings>

/**
 * The rings of the configured keys. With AWS KMS, its data keys come first in the encryption ring, or last if they only
 * open: the service creates the first one (`mayCreate`), unwraps all, and needs KMS no longer. Throws a {@link ConfigError} of one line if KMS
 * cannot be reached or refuses.
 */
export async function openKeyRings(
  parts: KeyParts,
  { jwt, pepper, encryption }: LoadedKeys,
  { kms, mayCreate }: { readonly kms: Config['encryptionKms']; readonly mayCreate: boolean },
): Promise<KeyRings> {
  const dataKeys = kms === undefined ? [] : await openWithKms(parts, kms, { encryption, mayCreate })
  const sealing = kms?.seals === false ? [...encryption, ...dataKeys] : [...dataKeys, ...encryption]
  return { jwt: keyRing(jwt), pepper: keyRing(pepper), encryption: keyRing(sealing) }
}

async function openWithKms(
  { db, clock, log }: KeyParts,
  kms: NonNullable<Config['encryptionKms']>,
  { encryption, mayCreate }: { readonly encryption: LoadedKeys['encryption']; readonly mayCreate: boolean },
): Promise<LoadedKeys['encryption']> {
  const taken = encryption.find(([id]) => isDataKeyId(id))
  if (taken) throw new ConfigError([`ENCRYPTION_KEYS must not use the id ${taken[0]}: data keys have it`])
  return await attributeToKms(async () => {
    const service = await connectAwsKms(kms)
    if (mayCreate && kms.seals) await createFirstDataKey({ db, clock, service }, SEALED_COLUMNS)
    const { keys, refused } = await openDataKeys({ db, service })
    for (const { id, reason } of refused) log.warn({ dataKeyId: id, reason }, 'failed to decrypt a data key')
    return keys
  })
}

/** Runs a step that calls AWS KMS; its failure becomes one line that names the setting. */
export async function attributeToKms<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof KeyServiceError)) throw error
    throw new ConfigError([`ENCRYPTION_KMS_KEY_ID: ${error.message}`], { cause: error })
  }
}
