import { isDataKeyId, type KeyGaps } from '../../secrets/index.ts'

/** A sentence about a key that stored values need and the ring does not have; `amount` says how many, where that is known. */
export function describeKeyGap(id: string, { missing }: KeyGaps, amount?: number): string {
  const values = amount === undefined ? 'stored values' : `${amount} stored values`
  return `${settingOf(id)} ${lackOf(id, missing)}: ${values} need it (docs/secrets.md)`
}

/** A sentence about a key of the ring that differs from the registered one, while nobody knows whether values need that. */
export function describeUnknownGap(id: string, { missing }: KeyGaps): string {
  return `${settingOf(id)} ${lackOf(id, missing)}, and whether stored values need it is unknown: give the new key another id (docs/secrets.md)`
}

const settingOf = (id: string) => (isDataKeyId(id) ? 'ENCRYPTION_KMS_KEY_ID' : 'ENCRYPTION_KEYS')

function lackOf(id: string, missing: readonly string[]): string {
  return missing.includes(id) ? `lacks the key ${id}` : `has a different key than before under the id ${id}`
}
