import { sql } from 'kysely'
import { expect } from 'vitest'
import { isUnfinished } from '../../src/operations/index.ts'
import { strategiesOnChain, venueFor } from '../../src/venues/index.ts'
import type { EngineFixture } from '../operations/engine-fixture.ts'
import type { SolanaFixture } from '../operations/solana-fixture.ts'
import { LEDGER_RULES } from './ledger-rules.ts'

export type LedgerFixture = Pick<EngineFixture, 'db'>

/** Asserts that no rule of the ledger finds a violation. */
export async function expectValidLedger({ db }: LedgerFixture): Promise<void> {
  for (const { what, finds } of LEDGER_RULES) {
    const { rows } = await sql.raw(finds).execute(db)
    expect(rows, what).toEqual([])
  }
}

/**
 * Asserts that the ledger matches the chain at the last settled block: tokens, shares and values are equal to the
 * unit, or an open break explains the difference. Call it after a round that reached the head. `only` defaults to all
 * wallets.
 */
export async function expectLedgerMatchesChain(
  { db, chain }: Pick<EngineFixture | SolanaFixture, 'db' | 'chain'>,
  only?: readonly number[],
): Promise<void> {
  const { blockchain, tokens } = chain.network
  const [{ final_number: at }, wallets, ledgerBalances, breaks, allocations, strategies] = await Promise.all([
    db
      .selectFrom('chain_cursors')
      .select('final_number')
      .where('blockchain', '=', blockchain)
      .executeTakeFirstOrThrow(),
    db.selectFrom('wallets').select(['id', 'address']).where('blockchain', '=', blockchain).execute(),
    db.selectFrom('ledger_balances').selectAll().execute(),
    db.selectFrom('ledger_breaks').selectAll().where('closed_at', 'is', null).execute(),
    db.selectFrom('allocations').selectAll().where('status', '<>', 'CLOSED').execute(),
    strategiesOnChain(db, blockchain),
  ])
  const compared = wallets.filter(({ id }) => only === undefined || only.includes(id))
  const pairs = compared.flatMap((wallet) => tokens.map((token) => ({ wallet, token })))
  const positions = compared.flatMap((wallet) => strategies.map((strategy) => ({ wallet, strategy })))
  // All in one tick, which batches them into one request.
  const [balances, shares] = await Promise.all([
    chain.balances(
      pairs.map(({ wallet, token }) => ({ owner: wallet.address, token: token.address })),
      at,
    ),
    Promise.all(
      positions.map(async ({ wallet, strategy }) => {
        const [held] = await venueFor(strategy.protocol).shares(chain, [{ strategy, owner: wallet.address }], at)
        return held!
      }),
    ),
  ])
  for (const [index, { wallet, token }] of pairs.entries()) {
    const own = (row: { wallet_id: number; token_address: string }) =>
      row.wallet_id === wallet.id && row.token_address === token.address
    const recorded = ledgerBalances.find(own)!
    const missing = breaks.filter(own).reduce((sum, { amount }) => sum + amount, 0n)
    const what = `${token.symbol} of wallet ${wallet.id} at block ${at}`
    expect(recorded.available + recorded.reserved - missing, what).toBe(balances[index])
    // A break records what exceeds the available balance; so while one is open, nothing is available.
    if (missing !== 0n) expect(recorded.available, `available while a break is open: ${what}`).toBe(0n)
  }
  for (const [index, { wallet, strategy }] of positions.entries()) {
    const position = allocations.find((row) => row.wallet_id === wallet.id && row.strategy_id === strategy.id)
    expect(position?.shares ?? 0n, `shares of ${strategy.key} of wallet ${wallet.id}`).toBe(shares[index])
  }
}

/** The ids of unfinished operations, oldest first. */
export async function unfinished({ db }: Pick<EngineFixture, 'db'>, walletId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('operations')
    .select(['id', 'state'])
    .where('wallet_id', '=', walletId)
    .orderBy('id')
    .execute()
  return rows.filter(({ state }) => isUnfinished(state)).map(({ id }) => id)
}
