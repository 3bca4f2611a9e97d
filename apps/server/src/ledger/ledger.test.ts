import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import { inTransaction, type LedgerAccount } from '../database/index.ts'
import { createOrganization } from '../identity/organizations/create-organization.ts'
import { ManualClock } from '../kernel/index.ts'
import { balancesOf, type LedgerEntry, openAccounts, post, postings, recordBreak } from './index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())

const clock = new ManualClock()
const TOKENS = ['0xUSDC', '0xUSDT']
const ACCOUNTS: readonly LedgerAccount[] = ['available', 'reserved', 'deployed', 'yield', 'external']
let made = 0

/** Wallets of a new organization, with open accounts. */
async function wallets(count: number) {
  made += 1
  const { db } = database
  const owner = { email: `owner${made}@ledger.example`, name: null, passwordHash: 'nobody logs in' }
  const created = await inTransaction(db, (tx) => createOrganization(tx, { clock }, { name: `Acme ${made}`, owner }))
  const organizationId = created.organization.id
  const rows = await db
    .insertInto('wallets')
    .values(
      Array.from({ length: count }, (_, index) => ({
        organization_id: organizationId,
        wallet_profile_id: created.defaultProfileId,
        blockchain: 'polygon',
        address: `0x${index}`,
        created_at: clock.now(),
      })),
    )
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  for (const walletId of ids) await openAccounts(db, { organizationId, walletId }, TOKENS)
  return { organizationId, ids }
}

let sources = 0
function entry(organizationId: number, lines: LedgerEntry['postings'], source = `test:${++sources}`): LedgerEntry {
  return { organizationId, kind: 'external_balance', source, at: clock.now(), postings: lines }
}

const posting = (entries: readonly LedgerEntry[]) => inTransaction(database.db, (tx) => post(tx, entries))

/** The sums of the postings themselves. */
async function sumsOf(organizationId: number) {
  const { rows } = await sql<{ wallet_id: number; token_address: string; account: LedgerAccount; amount: bigint }>`
    select wallet_id, token_address, account, sum(amount) as amount from ledger_postings
    where organization_id = ${organizationId} group by 1, 2, 3`.execute(database.db)
  return rows
}

/** A transfer between two accounts of one wallet and token. */
const moves = fc.record({
  wallet: fc.nat({ max: 2 }),
  token: fc.nat({ max: 1 }),
  from: fc.constantFrom(...ACCOUNTS),
  to: fc.constantFrom(...ACCOUNTS),
  amount: fc.oneof(fc.bigInt({ min: 1n, max: 1_000n }), fc.bigInt({ min: 1n, max: 2n ** 250n })),
})

test('any sequence of entries sums to zero, balances are the sums of postings, and no owned balance falls below zero', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(moves, { minLength: 1, maxLength: 3 }), { maxLength: 12 }), async (groups) => {
      const { organizationId, ids } = await wallets(3)
      const model = new Map<string, bigint>()
      const key = (wallet: number, token: string, account: string) => `${wallet} ${token} ${account}`
      for (const group of groups) {
        const trial = new Map(model)
        const entries = group.map(({ wallet, token, from, to, amount }) => {
          const [walletId, tokenAddress] = [ids[wallet]!, TOKENS[token]!]
          const signed = from === to ? {} : { [from]: -amount, [to]: amount }
          for (const [account, moved] of Object.entries(signed)) {
            const at = key(walletId, tokenAddress, account)
            trial.set(at, (trial.get(at) ?? 0n) + moved)
          }
          return entry(organizationId, postings(walletId, tokenAddress, signed))
        })
        // Balances move once per call, so only their final values count.
        const isAllowed = [...trial].every(([at, amount]) => amount >= 0n || /yield|external/.test(at))
        const posted = await posting(entries).then(
          () => true,
          () => false,
        )
        expect(posted).toBe(isAllowed)
        if (posted) for (const [at, amount] of trial) model.set(at, amount)
      }
      for (const walletId of ids) {
        for (const balance of await balancesOf(database.db, { organizationId, walletId })) {
          expect(ACCOUNTS.reduce((sum, account) => sum + balance[account], 0n)).toBe(0n)
          for (const account of ACCOUNTS) {
            expect(balance[account]).toBe(model.get(key(walletId, balance.tokenAddress, account)) ?? 0n)
          }
        }
      }
      for (const { wallet_id, token_address, account, amount } of await sumsOf(organizationId)) {
        expect(amount).toBe(model.get(key(wallet_id, token_address, account)))
      }
    }),
    { numRuns: 40 },
  )
})

test('an entry that does not sum to zero can be neither built nor posted', async () => {
  const { organizationId, ids } = await wallets(1)
  expect(() => postings(ids[0]!, '0xUSDC', { available: 1n, external: -2n })).toThrow('sum to zero')
  const line = { walletId: ids[0]!, tokenAddress: '0xUSDC', account: 'external', amount: 5n } as const
  await expect(posting([entry(organizationId, [line])])).rejects.toThrow()
  expect(await sumsOf(organizationId)).toEqual([])
})

test('an entry that would take an account below zero is rolled back, with the entries posted alongside it', async () => {
  const { organizationId, ids } = await wallets(2)
  const good = entry(organizationId, postings(ids[0]!, '0xUSDC', { available: 10n, external: -10n }))
  const bad = entry(organizationId, postings(ids[1]!, '0xUSDC', { available: -1n, reserved: 1n }))
  await expect(posting([good, bad])).rejects.toThrow()
  expect(await sumsOf(organizationId)).toEqual([])
  await posting([good])
  expect((await sumsOf(organizationId)).length).toBe(2)
})

test('a source is refused the second time: alone, in the same call, and concurrently', async () => {
  const { organizationId, ids } = await wallets(1)
  const lines = postings(ids[0]!, '0xUSDC', { available: 10n, external: -10n })
  await posting([entry(organizationId, lines, 'once')])
  await expect(posting([entry(organizationId, lines, 'once')])).rejects.toThrow()
  await expect(
    posting([entry(organizationId, lines, 'twice'), entry(organizationId, lines, 'twice')]),
  ).rejects.toThrow()
  const racing = await Promise.allSettled(
    Array.from({ length: 5 }, () => posting([entry(organizationId, lines, 'raced')])),
  )
  expect(racing.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  const [balance] = await balancesOf(database.db, { organizationId, walletId: ids[0]! })
  expect(balance).toMatchObject({ tokenAddress: '0xUSDC', available: 20n })
})

test('two organizations may use the same source', async () => {
  for (const { organizationId, ids } of [await wallets(1), await wallets(1)]) {
    await posting([entry(organizationId, postings(ids[0]!, '0xUSDC', { available: 1n, external: -1n }), 'shared')])
    expect((await sumsOf(organizationId)).length).toBe(2)
  }
})

test('concurrent entries over the same wallets, in any order, are all posted and none is lost', async () => {
  const { organizationId, ids } = await wallets(3)
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [2, 0, 1],
  ]
  await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      posting(
        orders[index % orders.length]!.map((wallet) =>
          entry(organizationId, postings(ids[wallet]!, '0xUSDC', { available: 1n, external: -1n })),
        ),
      ),
    ),
  )
  for (const walletId of ids) {
    const [balance] = await balancesOf(database.db, { organizationId, walletId })
    expect(balance).toMatchObject({ available: 24n, external: -24n })
  }
})

test.each(['ledger_entries', 'ledger_postings'])(
  '%s is append-only: no row can be changed or deleted',
  async (table) => {
    const { organizationId, ids } = await wallets(1)
    await posting([entry(organizationId, postings(ids[0]!, '0xUSDC', { available: 7n, external: -7n }))])
    const { db } = database
    const own = sql`where organization_id = ${organizationId}`
    const set = table === 'ledger_entries' ? sql`kind = 'supply'` : sql`amount = 8`
    await expect(sql`update ${sql.table(table)} set ${set} ${own}`.execute(db)).rejects.toThrow('append-only')
    await expect(sql`delete from ${sql.table(table)} ${own}`.execute(db)).rejects.toThrow('append-only')
    await expect(sql`truncate ${sql.table(table)} cascade`.execute(db)).rejects.toThrow('append-only')
    expect((await sumsOf(organizationId)).length).toBe(2)
  },
)

test('an account must be opened before it is posted to, and opening it again keeps its balance', async () => {
  const { organizationId, ids } = await wallets(1)
  const walletId = ids[0]!
  const lines = postings(walletId, '0xDAI', { available: 1n, external: -1n })
  await expect(posting([entry(organizationId, lines)])).rejects.toThrow()
  expect(await sumsOf(organizationId)).toEqual([])
  await openAccounts(database.db, { organizationId, walletId }, ['0xDAI'])
  await posting([entry(organizationId, lines)])
  await openAccounts(database.db, { organizationId, walletId }, ['0xDAI', '0xUSDC'])
  const balances = await balancesOf(database.db, { organizationId, walletId })
  expect(balances.find(({ tokenAddress }) => tokenAddress === '0xDAI')).toMatchObject({ available: 1n })
})

test('a wallet and token have at most one open break; it follows the difference and closes when that is gone', async () => {
  const { organizationId, ids } = await wallets(1)
  const ledgerBreak = { organizationId, walletId: ids[0]!, tokenAddress: '0xUSDC', at: clock.now() }
  const breaks = () =>
    database.db
      .selectFrom('ledger_breaks')
      .select(['amount', 'block_number', 'closed_at'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
  const record = (amount: bigint, blockNumber: number) =>
    inTransaction(database.db, (tx) => recordBreak(tx, { ...ledgerBreak, reason: 'balance', amount, blockNumber }))
  await record(0n, 1)
  expect(await breaks()).toEqual([])
  await record(5n, 2)
  await record(3n, 3)
  expect(await breaks()).toEqual([{ amount: 3n, block_number: 3, closed_at: null }])
  await record(0n, 4)
  await record(9n, 5)
  expect(await breaks()).toMatchObject([
    { amount: 3n, closed_at: clock.now() },
    { amount: 9n, closed_at: null },
  ])
})
