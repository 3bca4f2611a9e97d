import { sql } from 'kysely'
import type { Chain } from '../src/chains/index.ts'
import type { Database } from '../src/database/index.ts'
import { strategiesOnChain, venueFor } from '../src/venues/index.ts'
import { LEDGER_RULES } from '../testing/ledger/ledger-rules.ts'
import { until } from '../testing/until.ts'

/** Waits until the followers have settled everything that is on the chains now. */
export async function waitUntilSettled(db: Database, chains: readonly Chain[], limitMs: number): Promise<void> {
  await Promise.all(
    chains.map(async (chain) => {
      const { latest } = await chain.heads()
      const { blockchain } = chain.network
      await until(async () => {
        const cursor = await db
          .selectFrom('chain_cursors')
          .select('final_number')
          .where('blockchain', '=', blockchain)
          .executeTakeFirst()
        return (cursor?.final_number ?? -1) >= latest.number
      }, limitMs)
    }),
  )
}

/** Every violation of the ledger's rules, and every balance that is not the chain's, as sentences. */
export async function findDifferences(db: Database, chains: readonly Chain[]): Promise<string[]> {
  const found: string[] = []
  for (const { what, finds } of LEDGER_RULES) {
    const { rows } = await sql.raw(finds).execute(db)
    if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows[0], textOf)}`)
  }
  const breaks = await db.selectFrom('ledger_breaks').selectAll().where('closed_at', 'is', null).execute()
  found.push(...breaks.map((one) => `an open break: ${JSON.stringify(one, textOf)}`))
  for (const chain of chains) found.push(...(await compare(db, chain)))
  return found
}

/** Compares tokens and shares at the last settled block, for the wallets that ever held something. */
async function compare(db: Database, chain: Chain): Promise<string[]> {
  const { blockchain, tokens } = chain.network
  const [{ final_number: at }, balances, allocations, strategies] = await Promise.all([
    db
      .selectFrom('chain_cursors')
      .select('final_number')
      .where('blockchain', '=', blockchain)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('ledger_balances as b')
      .innerJoin('wallets as w', (join) =>
        join.onRef('w.organization_id', '=', 'b.organization_id').onRef('w.id', '=', 'b.wallet_id'),
      )
      .select(['b.wallet_id', 'b.token_address', 'b.available', 'b.reserved', 'w.address'])
      .where('w.blockchain', '=', blockchain)
      .where('b.external', '<>', 0n)
      .execute(),
    db.selectFrom('allocations').selectAll().where('status', '<>', 'CLOSED').execute(),
    strategiesOnChain(db, blockchain),
  ])
  const known = balances.filter((row) => tokens.some(({ address }) => address === row.token_address))
  const onChain = await chain.balances(
    known.map(({ address, token_address }) => ({ owner: address, token: token_address })),
    at,
  )
  const found = known.flatMap((row, index) => {
    const recorded = row.available + row.reserved
    if (recorded === onChain[index]) return []
    return [`${blockchain}: wallet ${row.wallet_id} has ${onChain[index]}, and ${recorded} in the ledger`]
  })
  for (const allocation of allocations) {
    const strategy = strategies.find(({ id }) => id === allocation.strategy_id)
    const owner = balances.find(({ wallet_id }) => wallet_id === allocation.wallet_id)?.address
    if (!strategy || !owner) continue
    const [shares] = await venueFor(strategy.protocol).shares(chain, [{ strategy, owner }], at)
    if (shares !== allocation.shares) {
      found.push(
        `${blockchain}: wallet ${allocation.wallet_id} has ${shares} shares, and ${allocation.shares} in the ledger`,
      )
    }
  }
  return found
}

const textOf = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
