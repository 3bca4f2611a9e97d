import { sql } from 'kysely'
import { ConfigError } from '../../config.ts'
import type { Database } from '../../database/index.ts'
import type { Clock, KeyRing, Log } from '../../kernel/index.ts'
import { countHashes, findSealingKeys, type KeyGaps, registerKeys, unregisterKey } from '../../secrets/index.ts'
import { describeKeyGap, describeUnknownGap } from './describe-key-gap.ts'
import type { KeyRings } from './key-rings.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'

interface CheckParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly say: (line: string) => void
}

/**
 * Says which keys are in use, registers the current ones, and refuses a ring that lacks a key under which values are
 * sealed. Only when a registered key is missing does it look for such values, and not for long: a key whose use is then
 * unknown is logged, as values are counted elsewhere. A missing pepper is only logged too: an operator drops one to end
 * what is hashed under it.
 */
export async function checkKeys(parts: CheckParts, rings: KeyRings): Promise<void> {
  const { db, log, say } = parts
  say(`keys: encryption ${idsOf(rings.encryption)}; pepper ${idsOf(rings.pepper)}; access tokens ${idsOf(rings.jwt)}`)
  const encryption = await registerKeys(parts, 'encryption', rings.encryption)
  if (hasGaps(encryption)) await judgeGaps(parts, encryption, rings.encryption)
  const peppers = await registerKeys(parts, 'pepper', rings.pepper)
  if (!hasGaps(peppers)) return
  const hashes = await countHashes(db)
  for (const id of [...peppers.missing, ...peppers.different]) {
    const lost = hashes.get(id) ?? 0
    if (lost > 0)
      log.warn(
        { pepperId: id, hashes: lost },
        'a pepper is missing: API keys, sessions and recovery codes that use it do not work',
      )
    else await unregisterKey(db, 'pepper', id)
  }
}

async function judgeGaps(parts: CheckParts, gaps: KeyGaps, ring: KeyRing): Promise<void> {
  const { db, log } = parts
  const lost = [...gaps.missing, ...gaps.different]
  const needed = await findSealingKeys(parts, SEALED_COLUMNS, (id) => sql`${id} = any(${lost})`)
  if (needed !== undefined) {
    if (needed.length > 0) throw new ConfigError(needed.map((id) => describeKeyGap(id, gaps)))
    for (const id of lost) await unregisterKey(db, 'encryption', id)
    await registerKeys(parts, 'encryption', ring)
    return
  }
  // It would seal values under the id of another key, and neither opens all of them.
  if (gaps.different.length > 0) throw new ConfigError(gaps.different.map((id) => describeUnknownGap(id, gaps)))
  log.warn(
    { keyIds: gaps.missing },
    'an encryption key is missing, and there are too many stored values to say at a start whether any needs it: weir rotate-secrets says so',
  )
}

const hasGaps = ({ missing, different }: KeyGaps): boolean => missing.length + different.length > 0

/** The current key first. */
function idsOf(ring: KeyRing): string {
  const others = [...ring.keys.keys()].filter((id) => id !== ring.currentId)
  return others.length === 0 ? ring.currentId : `${ring.currentId} (and ${others.join(', ')} to read)`
}
