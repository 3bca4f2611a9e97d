import { loadKeyRings, readConfig } from '../../config.ts'
import type { Database } from '../../database/index.ts'
import { type KeyRing, RESEAL_PASSES_MAX, silentLog, systemClock, systemRandomSource } from '../../kernel/index.ts'
import { countClearFields, sealClearFields } from '../../ramp/index.ts'
import {
  countHashes,
  countSealedValues,
  findKeyGaps,
  loadServiceSecrets,
  refuseClearFields,
  resealValues,
  unregisterKey,
} from '../../secrets/index.ts'
import { fieldSealerOf } from '../compose/compose-ramp.ts'
import { type KeyRings, openKeyRings } from '../keys/key-rings.ts'
import { type DataKeyStep, rotateDataKey } from '../keys/rotate-data-key.ts'
import { SEALED_COLUMNS } from '../keys/sealed-columns.ts'
import { withDatabase } from './with-database.ts'

const OPTIONS: readonly string[] = ['--check', '--new-data-key', '--use-data-key']

/** What depends on one key. */
export interface KeyUse {
  readonly kind: 'encryption' | 'pepper'
  /** Id of the key. */
  readonly key: string
  /** How many stored values or hashes need it. */
  readonly left: number
  /** Whether new values are made under it. */
  readonly current: boolean
  readonly inRing: boolean
}

/** What {@link rotateSecrets} found. */
export interface SecretsRotation {
  /** Whether every value could be read; undefined if none was read. */
  readonly allReadable?: boolean
  /** Each key of the rings, and each that is missing there; undefined after a step of the data key. */
  readonly keys?: readonly KeyUse[]
  /** Whether all values could be read, and no sealed one is known to need a key that is missing. */
  readonly isWhole: boolean
}

/**
 * Seals every stored value under the current encryption key, with a line for each column, and ends with a table of what
 * each key still has. `--check` only prints the table; `--new-data-key` and `--use-data-key` replace the data key of AWS KMS
 * and seal nothing. Throws for other arguments, and for two of these.
 */
export async function rotateSecrets(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  say: (line: string) => void,
): Promise<SecretsRotation> {
  const [option, ...others] = args
  if (others.length > 0 || (option !== undefined && !OPTIONS.includes(option))) {
    throw new Error(`rotate-secrets takes ${OPTIONS.join(', ')} or nothing, not "${args.join(' ')}"`)
  }
  const config = readConfig(env)
  const keys = loadKeyRings(config)
  return await withDatabase(env, async (db) => {
    if (option !== undefined && option !== '--check') {
      say(await rotateDataKey(db, config.encryptionKms, option as DataKeyStep))
      return { isWhole: true }
    }
    const parts = { db, clock: systemClock, log: silentLog }
    const rings = await openKeyRings(parts, keys, { kms: config.encryptionKms, mayCreate: false })
    if (option === '--check') return await check(db, rings, say)
    const unreadable = await resealAll(db, rings, say)
    await sealAllClearFields(db, rings, say)
    const sealed = await countSealedValues(db, SEALED_COLUMNS)
    const uses = await usesOf(db, rings, sealed)
    for (const line of tableOf(uses)) say(line)
    await forgetUnneededKeys(db, rings, sealed)
    if (unreadable > 0) say(`${unreadable} values could not be read; they are unchanged`)
    return { allReadable: unreadable === 0, keys: uses, isWhole: unreadable === 0 }
  })
}

/** Counts and reads nothing. A hash without its pepper is no defect: unused ones end with theirs. */
async function check(db: Database, rings: KeyRings, say: (line: string) => void): Promise<SecretsRotation> {
  const keys = await usesOf(db, rings, await countSealedValues(db, SEALED_COLUMNS))
  for (const line of tableOf(keys)) say(line)
  return { keys, isWhole: keys.every(({ kind, left, inRing }) => kind === 'pepper' || inRing || left === 0) }
}

async function resealAll(db: Database, rings: KeyRings, say: (line: string) => void): Promise<number> {
  for (let pass = 1; ; pass += 1) {
    const totals = new Map<string, { resealed: number; unreadable: number }>()
    for await (const { column, ...total } of resealValues(
      { db, random: systemRandomSource },
      rings.encryption,
      SEALED_COLUMNS,
    )) {
      if (total.resealed > 0 && total.resealed !== totals.get(column)?.resealed)
        say(`${column}: ${total.resealed} sealed under ${rings.encryption.currentId}`)
      totals.set(column, total)
    }
    const sum = (of: 'resealed' | 'unreadable') => [...totals.values()].reduce((all, total) => all + total[of], 0)
    if (sum('resealed') === 0 || pass === RESEAL_PASSES_MAX) return sum('unreadable')
  }
}

/** The last step of the upgrade to sealed fields: no plain text is left, and none is read again. */
async function sealAllClearFields(db: Database, rings: KeyRings, say: (line: string) => void): Promise<void> {
  const parts = { db, clock: systemClock, random: systemRandomSource }
  const service = await loadServiceSecrets(parts, rings.encryption)
  if (service.clearFields === 'refused') return
  const fields = fieldSealerOf({ ...rings, service }, systemRandomSource)
  let total = 0
  for (let sealed = 1; sealed > 0; total += sealed) sealed = await sealClearFields({ db, fields })
  if ((await countClearFields(db)) > 0) return
  await refuseClearFields(parts, rings.encryption)
  say(`plain-text personal data: ${total} rows sealed; none is read from the next start on`)
}

/** A start with very many stored values does not get to say that nothing needs a key that the ring lacks. */
async function forgetUnneededKeys(db: Database, { encryption }: KeyRings, sealed: ReadonlyMap<string, number>) {
  const { missing } = await findKeyGaps(db, 'encryption', encryption)
  for (const id of missing) if (!sealed.has(id)) await unregisterKey(db, 'encryption', id)
}

/** What depends on each key of the rings, and on keys that no ring has. */
async function usesOf(db: Database, rings: KeyRings, sealed: ReadonlyMap<string, number>): Promise<KeyUse[]> {
  const hashes = await countHashes(db)
  return [...usesIn('encryption', rings.encryption, sealed), ...usesIn('pepper', rings.pepper, hashes)]
}

function usesIn(kind: KeyUse['kind'], ring: KeyRing, counts: ReadonlyMap<string, number>): KeyUse[] {
  return [...new Set([...ring.keys.keys(), ...counts.keys()])].map((key) => ({
    kind,
    key,
    left: counts.get(key) ?? 0,
    current: key === ring.currentId,
    inRing: ring.keys.has(key),
  }))
}

function tableOf(keys: readonly KeyUse[]): string[] {
  const rows = keys.map(({ kind, key, left, current, inRing }) => [
    kind,
    key,
    `${left}${current ? ' (current)' : inRing ? '' : ' (not in the ring)'}`,
  ])
  const head = ['kind', 'key', 'values left']
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]!.length)))
  return [head, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  )
}
