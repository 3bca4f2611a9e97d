import { X509Certificate } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../../server/src/config.ts'
import { readCertificate } from '../../../server/src/main/start/tls-certificate.ts'
import { type Finding, ok, problem, skipped, warning } from './findings.ts'

const DAY_MS = 86_400_000
/** A certificate that expires sooner was not renewed in time. */
const EXPIRY_WARNING_DAYS = 14
/** A random secret of 32 characters has more different ones. */
const FEWEST_DIFFERENT = 10

const NAMES = {
  jwt: ['JWT_SECRET', 'JWT_SECRETS'],
  pepper: ['API_KEY_PEPPER', 'API_KEY_PEPPERS'],
  encryption: ['ENCRYPTION_KEY', 'ENCRYPTION_KEYS'],
} as const
type Purpose = keyof typeof NAMES

/** Checks secrets and certificates without printing any of them. `now` is in milliseconds since 1970. */
export function checkKeys(config: Config, now: number): Finding[] {
  return [...strengthOf(config), ...generatedOf(config), ...certificateOf(config, now)]
}

interface NamedSecret {
  readonly setting: string
  readonly value: string
}

function configuredSecrets({ secrets, keyRings }: Pick<Config, 'secrets' | 'keyRings'>): NamedSecret[] {
  return (Object.keys(NAMES) as Purpose[]).flatMap((purpose) => {
    const [single, several] = NAMES[purpose]
    const one = secrets[purpose] === undefined ? [] : [{ setting: single, value: secrets[purpose] }]
    const ring = (keyRings[purpose] ?? []).map(([id, value]) => ({ setting: `${several} (${id})`, value }))
    return [...one, ...ring]
  })
}

function strengthOf(config: Config): Finding[] {
  const configured = configuredSecrets(config)
  if (configured.length === 0) return []
  const weak = configured.flatMap(({ setting, value }) =>
    isGuessable(value)
      ? [
          problem(
            `${setting} can be guessed: it repeats few characters or contains a common word`,
            'generate one: openssl rand -hex 32',
          ),
        ]
      : [],
  )
  const shared = configured.flatMap((one, at) =>
    configured
      .slice(at + 1)
      .filter(({ value }) => value === one.value)
      .map(({ setting }) =>
        problem(
          `${one.setting} and ${setting} are the same`,
          'generate one for each purpose: a stolen one must open nothing else',
        ),
      ),
  )
  if (weak.length + shared.length > 0) return [...weak, ...shared]
  return [ok(`${configured.map(({ setting }) => setting).join(', ')}: different, and hard to guess`)]
}

function isGuessable(value: string): boolean {
  const text = value.toLowerCase()
  if (new Set(text).size < FEWEST_DIFFERENT) return true
  return /change.?me|password|secret|example|12345678|qwerty|abcdefgh|test/.test(text)
}

/** The sandbox generates its secrets once and keeps them in a file. */
function generatedOf({ dataDir, environment }: Config): Finding[] {
  const file = join(dataDir, 'secrets.json')
  if (environment === 'live') return []
  if (!existsSync(file)) return [skipped('secrets of the sandbox: the first start generates them')]
  const mode = statSync(file).mode & 0o777
  if ((mode & 0o077) !== 0) {
    return [problem(`${file} can be read by others (mode ${mode.toString(8)})`, `chmod 600 ${file}`)]
  }
  return [ok(`${file} is readable by its owner only`)]
}

function certificateOf({ tls }: Config, now: number): Finding[] {
  if (tls === undefined) return []
  try {
    const { cert } = readCertificate(tls)
    const { validTo } = new X509Certificate(cert)
    const days = Math.floor((Date.parse(validTo) - now) / DAY_MS)
    const remedy = 'renew it: the service loads new files by itself'
    if (days < 0) return [problem(`TLS_CERT_FILE expired on ${validTo}`, remedy)]
    if (days < EXPIRY_WARNING_DAYS) return [warning(`TLS_CERT_FILE expires in ${days} days`, remedy)]
    return [ok(`TLS_CERT_FILE is valid for ${days} days`)]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [problem(reason, 'check both files, and that they belong together')]
  }
}
