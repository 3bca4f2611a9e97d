import { type Config, ConfigError, readConfig, SETTINGS } from '../../../server/src/config.ts'
import { distance } from '../distance.ts'
import { type Finding, ok, problem, skipped, warning } from './findings.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Names shorter than this resemble too many other variables. */
const SHORTEST_NAME = 7

/** Checks every setting; the settings themselves if none is wrong. */
export function checkSettings(env: Env): { readonly config: Config | undefined; readonly findings: Finding[] } {
  const misspelled = misspelledSettings(env, Object.values(SETTINGS))
  try {
    const config = readConfig(env)
    return { config, findings: [ok(summaryOf(config, env)), ...wideProxies(config), ...misspelled] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const wrong = error.problems.map((line) => problem(line, remedyFor(line, env)))
    return {
      config: undefined,
      findings: [...wrong, ...misspelled, skipped('everything else: it depends on the settings')],
    }
  }
}

function summaryOf({ environment, role }: Config, env: Env): string {
  const set = Object.values(SETTINGS).filter(({ name }) => env[name])
  const names = set.map(({ name }) => name).join(', ')
  return `SERVICE_ENV is ${environment}, ROLE is ${role}; ${set.length === 0 ? 'every setting has its default' : `set: ${names}`}`
}

/** A network of proxies is small: who else is in it chooses the address that it is counted and let in under. */
function wideProxies({ trustedProxies = [] }: Pick<Config, 'trustedProxies'>): Finding[] {
  const isWide = (cidr: string) => Number(cidr.split('/')[1]) < (cidr.includes(':') ? 64 : 24)
  return trustedProxies
    .filter(isWide)
    .map((cidr) =>
      warning(
        `TRUSTED_PROXIES trusts all of ${cidr}: callers in it may choose their address`,
        'name the addresses of the proxies, and never a network that also has callers (docs/proxies.md)',
      ),
    )
}

function remedyFor(line: string, env: Env): string {
  const setting = Object.values(SETTINGS).find(({ name }) => line.startsWith(`${name} `))
  if (line.startsWith('NODE_'))
    return 'remove it: this process, and every other with these settings, would trust anyone'
  if (setting === undefined) return 'docs/settings.md lists what each setting accepts'
  const meaning = setting.description.replace(/\.$/, '')
  const action = env[setting.name] ? `correct ${setting.name}` : `set ${setting.name}`
  return `${action}: ${meaning} (docs/settings.md)`
}

/** Variables that are no settings and that differ from one by a letter or two. */
export function misspelledSettings(env: Env, settings: readonly { readonly name: string }[]): Finding[] {
  const names = settings.map(({ name }) => name)
  return Object.keys(env).flatMap((given) => {
    if (given.length < SHORTEST_NAME || names.includes(given)) return []
    const meant = names.find((name) => name.length >= SHORTEST_NAME && distance(given, name) <= 2)
    return meant ? [warning(`${given} is not a setting, and is ignored`, `did you mean ${meant}?`)] : []
  })
}
