import { ConfigError } from '../config.ts'
import type { Database } from '../database/index.ts'
import type { Clock, KeyRing, Log } from '../kernel/index.ts'
import { type KeyGaps, registerKeys } from '../secrets/index.ts'
import type { KeyRings } from './key-rings.ts'

/**
 * Says which keys are in use, registers the current ones, and refuses a ring that lacks a key under which values are
 * sealed. A missing pepper is only logged: an operator drops one to end the API keys under it.
 */
export async function checkKeys(
  parts: { readonly db: Database; readonly clock: Clock; readonly log: Log; readonly say: (line: string) => void },
  rings: KeyRings,
): Promise<void> {
  const { log, say } = parts
  say(`keys: encryption ${idsOf(rings.encryption)}; pepper ${idsOf(rings.pepper)}; access tokens ${idsOf(rings.jwt)}`)
  const encryption = await registerKeys(parts, 'encryption', rings.encryption)
  const problems = sentencesOf(encryption).map((sentence) => `ENCRYPTION_KEYS ${sentence} (docs/secrets.md)`)
  if (problems.length > 0) throw new ConfigError(problems)
  const peppers = await registerKeys(parts, 'pepper', rings.pepper)
  for (const sentence of sentencesOf(peppers)) log.warn({}, `API_KEY_PEPPERS ${sentence}: those API keys are unknown`)
}

/** The current key first. */
function idsOf(ring: KeyRing): string {
  const [current, ...others] = [ring.currentId, ...[...ring.keys.keys()].filter((id) => id !== ring.currentId)]
  return others.length === 0 ? `${current}` : `${current} (and ${others.join(', ')} to read)`
}

function sentencesOf({ missing, different }: KeyGaps): string[] {
  return [
    ...missing.map((id) => `lacks the key ${id}, which stored values name`),
    ...different.map((id) => `has another key ${id} than the one that stored values name`),
  ]
}
