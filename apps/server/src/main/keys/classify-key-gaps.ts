import { isDataKeyId, type KeyGaps } from '../../secrets/index.ts'

/** What the gaps of the encryption ring mean. */
export interface ClassifiedKeyGaps {
  /** A sentence for each key that stored values need. */
  readonly problems: readonly string[]
  /** Ids of keys that nothing needs any longer. */
  readonly unused: readonly string[]
}

/**
 * Separates the keys that stored values need from those that nothing needs; `sealed` counts the values under each key.
 */
export function classifyKeyGaps(
  sealed: ReadonlyMap<string, number>,
  { missing, different }: KeyGaps,
): ClassifiedKeyGaps {
  const problems: string[] = []
  const unused: string[] = []
  for (const id of [...missing, ...different]) {
    const amount = sealed.get(id) ?? 0
    const lack = missing.includes(id) ? `lacks the key ${id}` : `has a different key than before under the id ${id}`
    const setting = isDataKeyId(id) ? 'ENCRYPTION_KMS_KEY_ID' : 'ENCRYPTION_KEYS'
    if (amount > 0) problems.push(`${setting} ${lack}: ${amount} stored values need it (docs/secrets.md)`)
    else unused.push(id)
  }
  return { problems, unused }
}
