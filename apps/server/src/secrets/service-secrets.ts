import { type Database, inTransaction } from '../database/index.ts'
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
}

const PURPOSE = 'service secrets'

const labelOfServiceSecret = (name: string): string => `service_secrets.sealed ${name}`

export const SERVICE_SECRETS_COLUMN: SealedColumn = {
  table: 'service_secrets',
  column: 'sealed',
  key: ['name'],
  purpose: PURPOSE,
  label: ({ name }) => labelOfServiceSecret(String(name)),
}

/**
 * Reads the secrets of this database, and creates missing ones. What versions before key rings derived from
 * ENCRYPTION_KEY keeps that root: the key with the id 0.
 */
export async function loadServiceSecrets(
  { db, clock, random }: { readonly db: Database; readonly clock: Clock; readonly random: RandomSource },
  ring: KeyRing,
): Promise<ServiceSecrets> {
  const sealer = createSealer(ring, PURPOSE, random)
  const inherited = ring.keys.get(UNNAMED_KEY_ID)
  const fresh = () => Buffer.from(random(32)).toString('hex')
  const initial: ServiceSecrets = {
    sandboxProvider: inherited ?? fresh(),
    bridgeFingerprints: inherited ?? fresh(),
    blindIndex: fresh(),
  }
  const rows = await inTransaction(db, async (tx) => {
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
  return { ...initial, ...Object.fromEntries(stored) }
}
