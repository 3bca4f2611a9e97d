import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config-error.ts'
import type { ConfiguredKeys } from './key-ring-parser.ts'
import { hexKey, longSecret } from './setting-parsers.ts'

/** Three secrets, each for one purpose: a stolen one opens nothing else. */
export interface Secrets {
  /** Signs access tokens. */
  readonly jwt: string
  /** Keys the hashes of API keys and refresh tokens. */
  readonly pepper: string
  /** Encrypts stored text that must be read again; 64 hexadecimal digits. */
  readonly encryption: string
}

export type ConfiguredSecrets = { readonly [Name in keyof Secrets]: Secrets[Name] | undefined }

export type ConfiguredKeyRings = { readonly [Name in keyof Secrets]: ConfiguredKeys | undefined }

/**
 * The keys of each purpose with their ids, the current one first: as configured, or one key with the id 0 from
 * {@link loadSecrets}. In live, encryption has none if the data keys of AWS KMS seal and no key is configured.
 */
export function loadKeyRings(config: {
  readonly dataDir: string
  readonly secrets: ConfiguredSecrets
  readonly keyRings: ConfiguredKeyRings
  readonly environment?: 'sandbox' | 'live'
  readonly encryptionKms?: { readonly seals: boolean } | undefined
}): { readonly [Name in keyof Secrets]: ConfiguredKeys } {
  const { jwt, pepper, encryption } = config.keyRings
  const currentOf = (keys: ConfiguredKeys | undefined) => keys?.[0]?.[1]
  const configured = currentOf(encryption) ?? config.secrets.encryption
  const isWrapped = config.environment === 'live' && config.encryptionKms?.seals === true
  const single = loadSecrets({
    dataDir: config.dataDir,
    secrets: {
      jwt: currentOf(jwt) ?? config.secrets.jwt,
      pepper: currentOf(pepper) ?? config.secrets.pepper,
      encryption: configured ?? (isWrapped ? '' : undefined),
    },
  })
  return {
    jwt: jwt ?? [['0', single.jwt]],
    pepper: pepper ?? [['0', single.pepper]],
    encryption: encryption ?? (single.encryption === '' ? [] : [['0', single.encryption]]),
  }
}

/**
 * The configured secrets. Unset ones come from `DATA_DIR/secrets.json` (mode 0600), which is created on first use;
 * processes that start at the same moment get the same file. `readConfig` ensures that none is unset in live. Throws
 * a {@link ConfigError} when the file is damaged.
 */
export function loadSecrets(config: { readonly dataDir: string; readonly secrets: ConfiguredSecrets }): Secrets {
  const { jwt, pepper, encryption } = config.secrets
  if (jwt !== undefined && pepper !== undefined && encryption !== undefined) return { jwt, pepper, encryption }
  const file = join(config.dataDir, 'secrets.json')
  if (!existsSync(file)) createSecretsFile(config.dataDir, file)
  const stored = readSecrets(file)
  return { jwt: jwt ?? stored.jwt, pepper: pepper ?? stored.pepper, encryption: encryption ?? stored.encryption }
}

/** The file appears complete, and only if no other process created it first. */
function createSecretsFile(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true })
  const secrets: Secrets = { jwt: newSecret(), pepper: newSecret(), encryption: newSecret() }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft)
  }
}

function readSecrets(file: string): Secrets {
  try {
    const { jwt, pepper, encryption } = JSON.parse(readFileSync(file, 'utf8')) as Record<keyof Secrets, string>
    return { jwt: longSecret(jwt), pepper: longSecret(pepper), encryption: hexKey(encryption) }
  } catch (error) {
    throw new ConfigError([`DATA_DIR holds a damaged ${file}: restore it; without it every key and token is unknown`], {
      cause: error,
    })
  }
}

function newSecret(): string {
  return randomBytes(32).toString('hex')
}
