import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { selectWallets } from '../../wallets/index.ts'
import { positionPages } from '../positions/position-pages.ts'
import { presentValue } from '../positions/present-value.ts'

/** All positions of a scope in one token of one chain. Base units. */
export interface PositionTotals {
  readonly blockchain: string
  readonly tokenAddress: string
  readonly openPositions: number
  readonly principal: bigint
  /** Valued position by position, as {@link listPositions} does. */
  readonly currentValue: bigint
  /** Realized and unrealized since the first deposit, closed positions included; negative for a loss. */
  readonly lifetimeYield: bigint
}

/**
 * Totals of the open positions and the yield since the start, by chain and token, in order of both; tokens that were
 * never lent are missing. Two statements. The ledger holds the yield up to each position's last posting; the latest
 * price adds what the position gained since.
 */
export async function positionTotals(db: Database, scope: Scope, blockchain?: string): Promise<PositionTotals[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const totals = new Map<string, PositionTotals>()
      const add = (key: Pick<PositionTotals, 'blockchain' | 'tokenAddress'>, more: Partial<PositionTotals>) => {
        const id = `${key.blockchain} ${key.tokenAddress}`
        const sum = totals.get(id)
        totals.set(id, {
          blockchain: key.blockchain,
          tokenAddress: key.tokenAddress,
          openPositions: (sum?.openPositions ?? 0) + (more.openPositions ?? 0),
          principal: (sum?.principal ?? 0n) + (more.principal ?? 0n),
          currentValue: (sum?.currentValue ?? 0n) + (more.currentValue ?? 0n),
          lifetimeYield: (sum?.lifetimeYield ?? 0n) + (more.lifetimeYield ?? 0n),
        })
      }
      for (const row of await lentTokens(tx, scope, blockchain)) add(row, { lifetimeYield: row.earned })
      const read = (after: number, limit: number) => openPositions(tx, scope, { blockchain, after, limit })
      for await (const page of positionPages(read)) {
        for (const row of page) {
          const { value } = presentValue(row)
          const lifetimeYield = value - row.posted_value
          add(row, { openPositions: 1, principal: row.principal, currentValue: value, lifetimeYield })
        }
      }
      return [...totals.values()].sort(
        (a, b) => order(a.blockchain, b.blockchain) || order(a.tokenAddress, b.tokenAddress),
      )
    })
}

const order = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** The yield that the ledger has, of every token that the scope's wallets ever lent. */
function lentTokens(tx: Tx, scope: Scope, blockchain: string | undefined) {
  return selectWallets(tx, scope, { blockchain })
    .innerJoin('ledger_balances', (join) =>
      join
        .onRef('ledger_balances.organization_id', '=', 'wallets.organization_id')
        .onRef('ledger_balances.wallet_id', '=', 'wallets.id'),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('allocations')
          .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
          .whereRef('allocations.organization_id', '=', 'wallets.organization_id')
          .whereRef('allocations.wallet_id', '=', 'wallets.id')
          .whereRef('strategies.token_address', '=', 'ledger_balances.token_address')
          .select('allocations.id'),
      ),
    )
    .select(['wallets.blockchain', 'ledger_balances.token_address as tokenAddress'])
    .select(sql<bigint>`-sum(ledger_balances.yield)`.as('earned'))
    .groupBy(['wallets.blockchain', 'ledger_balances.token_address'])
    .execute()
}

interface PageOfPositions {
  readonly blockchain: string | undefined
  readonly after: number
  readonly limit: number
}

function openPositions(tx: Tx, scope: Scope, { blockchain, after, limit }: PageOfPositions) {
  return selectWallets(tx, scope, { blockchain })
    .innerJoin('allocations', (join) =>
      join
        .onRef('allocations.organization_id', '=', 'wallets.organization_id')
        .onRef('allocations.wallet_id', '=', 'wallets.id'),
    )
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .where('allocations.status', '<>', 'CLOSED')
    .where('allocations.id', '>', after)
    .orderBy('allocations.id')
    .limit(limit)
    .select([
      'allocations.id',
      'wallets.blockchain',
      'strategies.token_address as tokenAddress',
      'strategies.protocol',
      'strategies.price',
      'strategies.price_at',
      'allocations.principal',
      'allocations.shares',
      'allocations.posted_price',
      'allocations.posted_value',
      'allocations.posted_at',
    ])
    .execute()
}
