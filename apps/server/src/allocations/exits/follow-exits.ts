import type { Chain } from '../../chains/index.ts'
import { type Database, inTransaction, preparedQuery, runItems, type Tx, unbatched } from '../../database/index.ts'
import { addMilliseconds, type Clock, EXIT_VALUE_INTERVAL_MS, EXITS_BATCH, type Log } from '../../kernel/index.ts'
import {
  type ExitReading,
  type Strategy,
  strategiesOnChain,
  undefinedIfUnavailable,
  venueFor,
} from '../../venues/index.ts'
import { POST_ENDED_DAYS } from '../positions/ended-days.ts'
import { recordExit } from './record-exit.ts'

interface FollowParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/** Prepared, because it runs for every new block and most find nothing. */
const openExits = preparedQuery('open exits', (db, place: (name: 'blockchain' | 'after') => never) =>
  db
    .selectFrom('exits')
    .innerJoin('wallets', (join) =>
      join.onRef('wallets.organization_id', '=', 'exits.organization_id').onRef('wallets.id', '=', 'exits.wallet_id'),
    )
    .select([
      'exits.id',
      'exits.organization_id',
      'exits.wallet_id',
      'exits.strategy_id',
      'exits.pending',
      'exits.claimable',
      'exits.claimable_at',
      'exits.read_at',
      'wallets.address',
    ])
    .where('wallets.blockchain', '=', place('blockchain'))
    .where('exits.state', '<>', 'claimed')
    .where('exits.id', '>', place('after'))
    .orderBy('exits.id')
    .limit(EXITS_BATCH),
)

type OpenExit = Awaited<ReturnType<typeof openExits>>[number]

/** The last settled block. */
export type SettledBlock = { readonly number: number; readonly hash: string; readonly time: Date }

/**
 * Reads the open exits of a chain at the last settled block, and records those that changed: the price of shares that
 * wait, what became claimable, a cooldown that is over. A wallet that is settled up to a later block meanwhile is left
 * out, as is a quarantined one. One HTTP call for a page. Throws CHAIN_UNAVAILABLE.
 */
export async function followExits(parts: FollowParts, chain: Chain, block: SettledBlock): Promise<void> {
  const { blockchain } = chain.network
  let strategies: ReadonlyMap<number, Strategy> | undefined
  for (let after = 0; ; ) {
    const page = await openExits(parts.db, { blockchain, after })
    if (page.length === 0) return
    strategies ??= new Map((await strategiesOnChain(parts.db, blockchain)).map((strategy) => [strategy.id, strategy]))
    const readings = await readExits(chain, page, strategies, block.number)
    const changed = page.filter((exit) => isChanged(exit, readings.get(exit.id), block.time))
    await runItems(parts, changed, {
      job: `follow exits on ${blockchain}`,
      keyOf: ({ id }) => `exit ${id}`,
      work: (exit) =>
        inTransaction(parts.db, (tx) =>
          recordReading(tx, exit, {
            blockchain,
            strategy: strategies!.get(exit.strategy_id)!,
            reading: readings.get(exit.id)!,
            block,
            at: parts.clock.now(),
          }),
        ),
    })
    if (page.length < EXITS_BATCH) return
    after = page.at(-1)!.id
  }
}

interface ReadExit {
  readonly reading: ExitReading
  readonly price: bigint | undefined
}

/** By exit; without those whose contracts are unreadable. */
async function readExits(
  chain: Chain,
  page: readonly OpenExit[],
  strategies: ReadonlyMap<number, Strategy>,
  at: number,
): Promise<ReadonlyMap<number, ReadExit>> {
  const found = new Map<number, ReadExit>()
  await Promise.all(
    [...Map.groupBy(page, (exit) => exit.strategy_id)].map(async ([strategyId, own]) => {
      const strategy = strategies.get(strategyId)
      if (!strategy) return
      const venue = venueFor(strategy.protocol)
      if (!venue.exits) return
      const queries = own.map(({ address }) => ({ strategy, owner: address }))
      const [readings, prices] = await Promise.all([
        undefinedIfUnavailable(venue.exits.read(chain, queries, at)),
        undefinedIfUnavailable(venue.prices(chain, [strategy], at)),
      ])
      for (const [index, { id }] of own.entries()) {
        const reading = readings?.[index]
        if (reading) found.set(id, { reading, price: prices?.[0] })
      }
    }),
  )
  return found
}

/**
 * A change of what can be claimed counts at once; the value of waiting shares is posted now and then, like that of
 * positions.
 */
function isChanged(exit: OpenExit, read: ReadExit | undefined, at: Date): boolean {
  if (!read) return false
  const { pending, claimable, claimableAt } = read.reading
  if (claimable !== exit.claimable || claimableAt?.getTime() !== exit.claimable_at?.getTime()) return true
  if (pending === exit.pending) return false
  return pending === 0n || addMilliseconds(exit.read_at, EXIT_VALUE_INTERVAL_MS) <= at
}

interface RecordedReading {
  readonly blockchain: string
  readonly strategy: Strategy
  readonly reading: ReadExit
  readonly block: SettledBlock
  readonly at: Date
}

async function recordReading(
  tx: Tx,
  exit: OpenExit,
  { blockchain, strategy, reading, block, at }: RecordedReading,
): Promise<void> {
  const { organization_id: organizationId, wallet_id: walletId } = exit
  await tx
    .selectFrom('wallets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', walletId)
    .forUpdate()
    .execute()
  const current = await tx
    .selectFrom('exits')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', exit.id)
    .where('state', '<>', 'claimed')
    .where('read_block', '<=', block.number)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('quarantined_wallets')
            .select('wallet_id')
            .where('organization_id', '=', organizationId)
            .where('wallet_id', '=', walletId),
        ),
      ),
    )
    .executeTakeFirst()
  if (!current) return
  const calls = unbatched(tx)
  const wallet = { organizationId, walletId, blockchain }
  await calls.call(POST_ENDED_DAYS, { wallet, block, at })
  await recordExit(calls, {
    wallet,
    strategy,
    movements: [],
    reading: reading.reading,
    price: reading.price,
    isOnRequest: false,
    block,
    at,
  })
}
