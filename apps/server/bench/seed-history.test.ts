import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { verifyLedger } from '../src/ledger/index.ts'
import { seedCatalogue } from '../src/venues/index.ts'
import { type BenchDatabase, tinyBenchEnvironment } from './bench-environment.ts'
import { SEEDS_OF_TWO, TWO_CHAINS, USED_NONCES } from './memory-chain.ts'
import { seedWallets } from './seed.ts'
import { seedHistory } from './seed-history.ts'

const OPERATIONS = 80
let database: BenchDatabase

beforeAll(async () => {
  database = await tinyBenchEnvironment(inject('postgresUrl')).openDatabase()
  const { parts, organizationId } = database
  await seedCatalogue(parts.db, SEEDS_OF_TWO)
  for (const chain of TWO_CHAINS) await seedWallets(database, organizationId, 3, chain)
  await seedHistory(database, organizationId, OPERATIONS)
})
afterAll(() => database?.close())

test('a history obeys the rules of the books, and leaves nothing open', async () => {
  const { db } = database.parts
  expect(await verifyLedger(db)).toEqual([])
  const balances = await db.selectFrom('ledger_balances').selectAll().execute()
  expect(balances).toHaveLength(6)
  for (const { reserved, deployed } of balances) expect([reserved, deployed]).toEqual([0n, 0n])
  const open = await db.selectFrom('reservations').selectAll().where('released_at', 'is', null).execute()
  expect(open).toEqual([])
})

test('a history has operations of every wallet, on its chain, with nonces that the wallet has used', async () => {
  const rows = await database.parts.db
    .selectFrom('transactions as t')
    .innerJoin('operations as o', (join) =>
      join.onRef('o.organization_id', '=', 't.organization_id').onRef('o.id', '=', 't.operation_id'),
    )
    .innerJoin('wallets as w', (join) =>
      join.onRef('w.organization_id', '=', 'o.organization_id').onRef('w.id', '=', 'o.wallet_id'),
    )
    .select(['o.wallet_id', 'o.state', 't.sender', 't.nonce', 't.blockchain', 'w.address', 'w.blockchain as chain'])
    .execute()
  expect(rows).toHaveLength(OPERATIONS)
  expect(new Set(rows.map(({ wallet_id }) => wallet_id)).size).toBe(6)
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['COMPLETED', 'FAILED']))
  for (const { sender, nonce, blockchain, address, chain } of rows) {
    expect([sender, blockchain]).toEqual([address, chain])
    expect(nonce).toBeLessThan(USED_NONCES)
  }
})

test('a history that needs more nonces than the wallets have used is refused', async () => {
  const { organizationId } = database
  await expect(seedHistory(database, organizationId, 6 * USED_NONCES + 1)).rejects.toThrow('nonces')
})
