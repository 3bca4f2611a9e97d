import { type Database, inTransaction, type Tx } from '../database/index.ts'
import { type Clock, createSealer, type KeyRing, type RandomSource, UNNAMED_KEY_ID } from '../kernel/index.ts'
import type { SealedColumn } from './sealed-column.ts'

/**
 * Secrets that must outlive the key that seals them, because other stored values follow from them; 64 hexadecimal digits
 * each. They are stored sealed and move with every rotation.
 */
export interface ServiceSecrets {
  /** Root of the sandbox's deposit addresses and account numbers. */
  readonly sandboxProvider: string
  /** Keys the hashes of requests to the banking partner. */
  readonly bridgeFingerprints: string
  /** Keys the blind indexes of sealed columns. */
  readonly blindIndex: string
  /**
   * Not a secret, but sealed like one: whether plain-text personal data, as versions before sealing stored it, is still
   * read. Somebody with the database cannot turn it back.
   */
  readonly clearFields: 'accepted' | 'refused'
}

const PURPOSE = 'service secrets'
const NAMES: readonly (keyof ServiceSecrets)[] = ['sandboxProvider', 'bridgeFingerprints', 'blindIndex', 'clearFields']

const labelOfServiceSecret = (name: string): string => `service_secrets.sealed ${name}`

export const SERVICE_SECRETS_COLUMN: SealedColumn = {
  table: 'service_secrets',
  column: 'sealed',
  key: ['name'],
  purpose: PURPOSE,
  label: ({ name }) => labelOfServiceSecret(String(name)),
}

/**
 * Reads the secrets of this database, and creates them in a new one. What versions before key rings derived from
 * ENCRYPTION_KEY keeps that root: the key with the id 0.
 */
export async function loadServiceSecrets(
  { db, clock, random }: { readonly db: Database; readonly clock: Clock; readonly random: RandomSource },
  ring: KeyRing,
): Promise<ServiceSecrets> {
  const sealer = createSealer(ring, PURPOSE, random)
  const inherited = ring.keys.get(UNNAMED_KEY_ID)
  const fresh = () => Buffer.from(random(32)).toString('hex')
  const rows = await inTransaction(db, async (tx) => {
    const existing = await tx.selectFrom('service_secrets').select(['name', 'sealed']).execute()
    if (existing.length > 0) return existing
    const initial: ServiceSecrets = {
      sandboxProvider: inherited ?? fresh(),
      bridgeFingerprints: inherited ?? fresh(),
      blindIndex: fresh(),
      clearFields: (await hasOrganizations(tx)) ? 'accepted' : 'refused',
    }
    await tx
      .insertInto('service_secrets')
      .values(
        Object.entries(initial).map(([name, secret]) => ({
          name,
          sealed: sealer.seal(secret, labelOfServiceSecret(name)),
          created_at: clock.now(),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return tx.selectFrom('service_secrets').select(['name', 'sealed']).execute()
  })
  const stored = rows.map(({ name, sealed }) => [name, sealer.open(sealed, labelOfServiceSecret(name))] as const)
  const secrets = Object.fromEntries(stored)
  const lost = NAMES.filter((name) => secrets[name] === undefined)
  if (lost.length > 0) throw new Error(`service_secrets lacks ${lost.join(', ')}: restore it from a backup`)
  return secrets as unknown as ServiceSecrets
}

/**
 * Whether a version before sealing may have used this database. One that still runs next to this version can write its
 * first customer in plain text later.
 */
async function hasOrganizations(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('organizations').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** From their next start on, processes read no plain-text personal data. Called when every row is sealed. */
export async function refuseClearFields(
  { db, random }: { readonly db: Database; readonly random: RandomSource },
  ring: KeyRing,
): Promise<void> {
  const sealed = createSealer(ring, PURPOSE, random).seal('refused', labelOfServiceSecret('clearFields'))
  await db.updateTable('service_secrets').set({ sealed }).where('name', '=', 'clearFields').execute()
}
