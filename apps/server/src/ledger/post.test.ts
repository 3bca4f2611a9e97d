// Also tested elsewhere: accounts (accounts.test.ts), breaks (breaks.test.ts), and equality of ledger and chain in random
// sequences (operations/submission/random-client-sequences.test.ts) and under faults and crashes (simulate/).
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { LEDGER_TOKENS, useLedger } from '../../testing/ledger/use-ledger.ts'
import type { LedgerAccount } from '../database/index.ts'
import { balancesOf, postings } from './index.ts'

const ledger = useLedger()
const ACCOUNTS: readonly LedgerAccount[] = ['available', 'reserved', 'deployed', 'yield', 'external']
/** The sums of the postings themselves. */
async function sumsOf(organizationId: number) {
  const { rows } = await sql<{ wallet_id: number; token_address: string; account: LedgerAccount; amount: bigint }>`
    select wallet_id, token_address, account, sum(amount) as amount from ledger_postings
    where organization_id = ${organizationId} group by 1, 2, 3`.execute(ledger.db)
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
      const { organizationId, ids } = await ledger.wallets(3)
      const model = new Map<string, bigint>()
      const key = (wallet: number, token: string, account: string) => `${wallet} ${token} ${account}`
      for (const group of groups) {
        const trial = new Map(model)
        const entries = group.map(({ wallet, token, from, to, amount }) => {
          const [walletId, tokenAddress] = [ids[wallet]!, LEDGER_TOKENS[token]!]
          const signed = from === to ? {} : { [from]: -amount, [to]: amount }
          for (const [account, moved] of Object.entries(signed)) {
            const at = key(walletId, tokenAddress, account)
            trial.set(at, (trial.get(at) ?? 0n) + moved)
          }
          return ledger.entry(organizationId, postings(walletId, tokenAddress, signed))
        })
        // Balances move once per call, so only their final values count.
        const isAllowed = [...trial].every(([at, amount]) => amount >= 0n || /yield|external/.test(at))
        const posted = await ledger.post(entries).then(
          () => true,
          () => false,
        )
        expect(posted).toBe(isAllowed)
        if (posted) for (const [at, amount] of trial) model.set(at, amount)
      }
      for (const walletId of ids) {
        for (const balance of await balancesOf(ledger.db, { organizationId, walletId })) {
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
  const { organizationId, ids } = await ledger.wallets(1)
  expect(() => postings(ids[0]!, '0xUSDC', { available: 1n, external: -2n })).toThrow('sum to zero')
  const line = { walletId: ids[0]!, tokenAddress: '0xUSDC', account: 'external', amount: 5n } as const
  await expect(ledger.post([ledger.entry(organizationId, [line])])).rejects.toThrow()
  expect(await sumsOf(organizationId)).toEqual([])
})

test('an entry that would take an account below zero is rolled back, with the entries posted alongside it', async () => {
  const { organizationId, ids } = await ledger.wallets(2)
  const good = ledger.entry(organizationId, postings(ids[0]!, '0xUSDC', { available: 10n, external: -10n }))
  const bad = ledger.entry(organizationId, postings(ids[1]!, '0xUSDC', { available: -1n, reserved: 1n }))
  await expect(ledger.post([good, bad])).rejects.toThrow()
  expect(await sumsOf(organizationId)).toEqual([])
  await ledger.post([good])
  expect((await sumsOf(organizationId)).length).toBe(2)
})

test('a source is refused the second time: alone, in the same call, and concurrently', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const lines = postings(ids[0]!, '0xUSDC', { available: 10n, external: -10n })
  await ledger.post([ledger.entry(organizationId, lines, 'once')])
  await expect(ledger.post([ledger.entry(organizationId, lines, 'once')])).rejects.toThrow()
  await expect(
    ledger.post([ledger.entry(organizationId, lines, 'twice'), ledger.entry(organizationId, lines, 'twice')]),
  ).rejects.toThrow()
  const racing = await Promise.allSettled(
    Array.from({ length: 5 }, () => ledger.post([ledger.entry(organizationId, lines, 'raced')])),
  )
  expect(racing.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  const [balance] = await balancesOf(ledger.db, { organizationId, walletId: ids[0]! })
  expect(balance).toMatchObject({ tokenAddress: '0xUSDC', available: 20n })
})

test('two organizations may use the same source', async () => {
  for (const { organizationId, ids } of [await ledger.wallets(1), await ledger.wallets(1)]) {
    await ledger.post([
      ledger.entry(organizationId, postings(ids[0]!, '0xUSDC', { available: 1n, external: -1n }), 'shared'),
    ])
    expect((await sumsOf(organizationId)).length).toBe(2)
  }
})

test('concurrent entries over the same wallets, in any order, are all posted and none is lost', async () => {
  const { organizationId, ids } = await ledger.wallets(3)
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [2, 0, 1],
  ]
  await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      ledger.post(
        orders[index % orders.length]!.map((wallet) =>
          ledger.entry(organizationId, postings(ids[wallet]!, '0xUSDC', { available: 1n, external: -1n })),
        ),
      ),
    ),
  )
  for (const walletId of ids) {
    const [balance] = await balancesOf(ledger.db, { organizationId, walletId })
    expect(balance).toMatchObject({ available: 24n, external: -24n })
  }
})

test.each(['ledger_entries', 'ledger_postings'])(
  '%s is append-only: no row can be changed or deleted',
  async (table) => {
    const { organizationId, ids } = await ledger.wallets(1)
    await ledger.post([ledger.entry(organizationId, postings(ids[0]!, '0xUSDC', { available: 7n, external: -7n }))])
    const { db } = ledger
    const own = sql`where organization_id = ${organizationId}`
    const set = table === 'ledger_entries' ? sql`kind = 'supply'` : sql`amount = 8`
    await expect(sql`update ${sql.table(table)} set ${set} ${own}`.execute(db)).rejects.toThrow('append-only')
    await expect(sql`delete from ${sql.table(table)} ${own}`.execute(db)).rejects.toThrow('append-only')
    await expect(sql`truncate ${sql.table(table)} cascade`.execute(db)).rejects.toThrow('append-only')
    expect((await sumsOf(organizationId)).length).toBe(2)
  },
)
