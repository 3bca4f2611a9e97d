import { ConfigError } from '../../config.ts'
import type { Database } from '../../database/index.ts'
import type { Clock, KeyRing, Log } from '../../kernel/index.ts'
import { countHashes, countSealedValues, type KeyGaps, registerKeys, unregisterKey } from '../../secrets/index.ts'
import { classifyKeyGaps } from './classify-key-gaps.ts'
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
 * sealed. Values are counted only when a registered key is missing. A missing pepper is only logged: an operator drops
 * one to end what is hashed under it.
 */
export async function checkKeys(parts: CheckParts, rings: KeyRings): Promise<void> {
  const { db, log, say } = parts
  say(`keys: encryption ${idsOf(rings.encryption)}; pepper ${idsOf(rings.pepper)}; access tokens ${idsOf(rings.jwt)}`)
  const encryption = await registerKeys(parts, 'encryption', rings.encryption)
  if (hasGaps(encryption)) {
    const { problems, unused } = classifyKeyGaps(await countSealedValues(db, SEALED_COLUMNS), encryption)
    if (problems.length > 0) throw new ConfigError(problems)
    for (const id of unused) await unregisterKey(db, 'encryption', id)
    await registerKeys(parts, 'encryption', rings.encryption)
  }
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

const hasGaps = ({ missing, different }: KeyGaps): boolean => missing.length + different.length > 0

/** The current key first. */
function idsOf(ring: KeyRing): string {
  const others = [...ring.keys.keys()].filter((id) => id !== ring.currentId)
  return others.length === 0 ? ring.currentId : `${ring.currentId} (and ${others.join(', ')} to read)`
}
