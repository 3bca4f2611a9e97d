import { createHmac } from 'node:crypto'
import type { Database, SecretKind } from '../database/index.ts'
import { type Clock, currentKey, type KeyRing } from '../kernel/index.ts'

/** Registered keys that a ring does not have. */
export interface KeyGaps {
  /** Ids of keys that are not in the ring. */
  readonly missing: readonly string[]
  /** Ids under which the ring has a different key than the registered one. */
  readonly different: readonly string[]
}

/**
 * Registers the current key of a ring before anything is made with it, and compares the ring with the registered ones:
 * stored values may need those. Only a keyed fingerprint is stored.
 */
export async function registerKeys(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  kind: SecretKind,
  ring: KeyRing,
): Promise<KeyGaps> {
  await db
    .insertInto('secret_keys')
    .values({
      kind,
      id: ring.currentId,
      fingerprint: fingerprintOf(kind, currentKey(ring)),
      registered_at: clock.now(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'id'])
        .doUpdateSet({ is_retired: false })
        .where('secret_keys.is_retired', '=', true)
        .whereRef('secret_keys.fingerprint', '=', 'excluded.fingerprint'),
    )
    .execute()
  return await findKeyGaps(db, kind, ring)
}

/** Compares a ring with the registered keys that values may need, and writes nothing. */
export async function findKeyGaps(db: Database, kind: SecretKind, ring: KeyRing): Promise<KeyGaps> {
  const registered = await db
    .selectFrom('secret_keys')
    .select(['id', 'fingerprint'])
    .where('kind', '=', kind)
    .where('is_retired', '=', false)
    .orderBy('id')
    .execute()
  const missing: string[] = []
  const different: string[] = []
  for (const { id, fingerprint } of registered) {
    const key = ring.keys.get(id)
    if (key === undefined) missing.push(id)
    else if (!fingerprint.equals(fingerprintOf(kind, key))) different.push(id)
  }
  return { missing, different }
}

/**
 * Forgets a key that no stored value needs. A wrapped one is only retired: its row is its only copy, and another process
 * may seal a value under it right now.
 */
export async function unregisterKey(db: Database, kind: SecretKind, id: string): Promise<void> {
  await db
    .deleteFrom('secret_keys')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('wrapped', 'is', null)
    .execute()
  await db
    .updateTable('secret_keys')
    .set({ is_retired: true })
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('wrapped', 'is not', null)
    .execute()
}

export function fingerprintOf(kind: SecretKind, key: string): Buffer {
  return createHmac('sha256', key).update(`weir ${kind} key`).digest()
}
