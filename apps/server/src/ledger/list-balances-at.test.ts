// Also tested elsewhere: the route (surfaces/core/treasury/balances.test.ts).
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LEDGER_TOKENS, useLedger } from '../../testing/ledger/use-ledger.ts'
import { addMilliseconds } from '../kernel/index.ts'
import { balancesOf, type LedgerEntry, listBalancesAt, postings } from './index.ts'

const ledger = useLedger()
const PAGE = { limit: 100, offset: 0 }

test('at every moment of any history, the balances are those that the ledger showed then', async () => {
  const move = fc.record({
    wallet: fc.nat({ max: 2 }),
    token: fc.nat({ max: 1 }),
    account: fc.constantFrom('available', 'reserved', 'deployed', 'exiting'),
    from: fc.constantFrom('external', 'yield'),
    amount: fc.bigInt({ min: 1n, max: 2n ** 200n }),
    later: fc.nat({ max: 2 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 10 }), async (moves) => {
      const { organizationId, ids } = await ledger.wallets(3)
      const other = await ledger.wallets(1)
      const shown = async () => {
        const wallets = ids.toReversed().map(async (walletId) => {
          const balances = await balancesOf(ledger.db, { organizationId, walletId })
          const held = balances.filter(({ tokenAddress: _, ...amounts }) =>
            Object.values(amounts).some((each) => each !== 0n),
          )
          return held.map((balance) => ({ walletId, ...balance }))
        })
        return (await Promise.all(wallets)).flat()
      }
      const seen: { at: Date; balances: Awaited<ReturnType<typeof shown>> }[] = []
      for (const { wallet, token, account, from, amount, later } of moves) {
        // A moment shows what was posted before it, and nothing posted at that moment.
        seen.push({ at: ledger.clock.now(), balances: await shown() })
        const lines = (walletId: number) =>
          postings(walletId, LEDGER_TOKENS[token]!, { [account]: amount, [from]: -amount })
        await ledger.post([
          ledger.entry(organizationId, lines(ids[wallet]!)),
          ledger.entry(other.organizationId, lines(other.ids[0]!)),
        ])
        ledger.clock.advance(later)
      }
      ledger.clock.advance(3_600_000)
      const firstAt = new Map(seen.toReversed().map((each) => [each.at.getTime(), each]))
      for (const { at, balances } of firstAt.values()) {
        const { items, tokens, total } = await listBalancesAt(ledger, organizationId, { at, ...PAGE })
        expect(items).toMatchObject(balances)
        expect([items.length, total]).toEqual([balances.length, balances.length])
        const deployed = (rows: readonly { deployed: bigint }[]) => rows.reduce((sum, row) => sum + row.deployed, 0n)
        expect(deployed(tokens)).toBe(deployed(balances))
      }
    }),
    { numRuns: 20 },
  )
})

test('a page holds its wallets, and the sums are of all', async () => {
  const { organizationId, ids } = await ledger.wallets(3)
  const paid = (walletId: number): LedgerEntry =>
    ledger.entry(organizationId, postings(walletId, LEDGER_TOKENS[0]!, { available: 7n, external: -7n }))
  await ledger.post(ids.map(paid))
  const at = addMilliseconds(ledger.clock.now(), 1)
  ledger.clock.advance(3_600_000)
  const page = await listBalancesAt(ledger, organizationId, { at, limit: 2, offset: 2 })
  expect(page).toMatchObject({ items: [{ walletId: ids[0], available: 7n }], total: 3 })
  expect(page.tokens).toMatchObject([{ wallets: 3, available: 21n, external: -21n }])
  const past = await listBalancesAt(ledger, organizationId, { at, limit: 2, offset: 9 })
  expect(past).toMatchObject({ items: [], total: 3 })
})
