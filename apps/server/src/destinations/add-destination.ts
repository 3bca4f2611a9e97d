import { type Blockchain, requireAddress } from '../chains/index.ts'
import { type Transact, transactOn } from '../database/index.ts'
import type { UserCredential } from '../identity/index.ts'
import { DESTINATIONS_MAX, Failure } from '../kernel/index.ts'
import { type Destination, type DestinationParts, destinationFrom } from './destination.ts'

export interface NewDestination {
  readonly blockchain: Blockchain
  /** In any spelling that the chain accepts. */
  readonly address: string
  readonly label: string
}

/**
 * Allows an address on one blockchain: the same address on another one may be somebody else's contract. Errors:
 * INVALID_ADDRESS, CONFLICT (already on the list, or the list is full).
 */
export async function addDestination(
  parts: DestinationParts,
  actor: Pick<UserCredential, 'organizationId' | 'userId'>,
  { blockchain, address: text, label }: NewDestination,
  transact: Transact<Destination> = transactOn(parts.db),
): Promise<Destination> {
  const address = requireAddress(blockchain, text, 'The address')
  const { organizationId, userId } = actor
  return await transact(async (tx) => {
    // Serializes additions: two concurrent ones would both count one below the limit.
    await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
    const { listed } = await tx
      .selectFrom('destinations')
      .select(({ fn }) => fn.countAll<number>().as('listed'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow()
    if (listed >= DESTINATIONS_MAX)
      throw new Failure('CONFLICT', { message: `An allow-list can have at most ${DESTINATIONS_MAX} addresses.` })
    const row = await tx
      .insertInto('destinations')
      .values({
        organization_id: organizationId,
        blockchain,
        address,
        label,
        created_by: userId,
        created_at: parts.clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['organization_id', 'blockchain', 'address']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw new Failure('CONFLICT', { message: 'The address is already on the allow-list.' })
    return destinationFrom(row)
  })
}
