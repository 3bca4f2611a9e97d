import type { SettingValues } from './settings.ts'

/** What the settings of the embedded chains require of others. */
export function chainsProblems(values: SettingValues): [name: string, sentence: string][] {
  const { environment, role, chainsFile } = values
  if (environment === 'live') {
    const sentence = 'must not be set when SERVICE_ENV is live: it names development chains'
    return chainsFile === undefined ? [] : [['CHAINS_FILE', sentence]]
  }
  const isPart = role === 'api' || role === 'worker'
  if (!isPart || chainsFile !== undefined || !endpointsOfChains(values).includes(undefined)) return []
  const sentence =
    'must be all while a chain is embedded: the embedded chains serve one process, unless CHAINS_FILE shares them'
  return [['ROLE', sentence]]
}

/** The endpoints of each chain; undefined where none is set. */
export function endpointsOfChains(values: SettingValues): (readonly string[] | undefined)[] {
  return [values.ethereumRpcUrls, values.polygonRpcUrls, values.baseRpcUrls, values.solanaRpcUrls]
}
