import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config-error.ts'
import { hexKey, longSecret } from './setting-parsers.ts'

/** Three, so that a stolen one opens only what it is for. */
export interface Secrets {
  /** Signs access tokens. */
  readonly jwt: string
  /** Keys the hashes of API keys and refresh tokens. */
  readonly pepper: string
  /** Encrypts what must be readable again; 64 hexadecimal digits. */
  readonly encryption: string
}

export type ConfiguredSecrets = { readonly [Name in keyof Secrets]: Secrets[Name] | undefined }

/**
 * The secrets of the settings; those that are unset come from `DATA_DIR/secrets.json` (mode 0600), which is made at the
 * first need. Several processes may ask in the same moment and get the same. `readConfig` has seen to it that in live
 * none is unset. Throws a {@link ConfigError} when the file is damaged.
 */
export function loadSecrets(config: { readonly dataDir: string; readonly secrets: ConfiguredSecrets }): Secrets {
  const { jwt, pepper, encryption } = config.secrets
  if (jwt !== undefined && pepper !== undefined && encryption !== undefined) return { jwt, pepper, encryption }
  const file = join(config.dataDir, 'secrets.json')
  if (!existsSync(file)) createSecretsFile(config.dataDir, file)
  const kept = readSecrets(file)
  return { jwt: jwt ?? kept.jwt, pepper: pepper ?? kept.pepper, encryption: encryption ?? kept.encryption }
}

/** The finished file appears under its name at once, and only if nobody was faster. */
function createSecretsFile(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true })
  const secrets: Secrets = { jwt: newSecret(), pepper: newSecret(), encryption: newSecret() }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
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
