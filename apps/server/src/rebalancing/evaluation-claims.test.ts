import { expect, test } from 'vitest'
import { until } from '../../testing/index.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { EVALUATION_CLAIM_MS } from '../kernel/index.ts'
import { claimEvaluations } from '../wallets/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'

/** What becomes of the wallets that a process claimed, when it stops, dies or is slow. */

const rebalancer = useRebalancer()
const { operationsOf, rowOf } = rebalancer
const monitored = async (buffer: bigint): Promise<RebalancedWallet> =>
  rebalancer.monitor(await rebalancer.fundedClient(), buffer)

/** Makes only these due. */
async function makeDue(uses: readonly RebalancedWallet[]): Promise<void> {
  const { db, clock } = rebalancer.engine
  await db.updateTable('operational_wallets').set({ due_at: null }).execute()
  const ids = uses.map(({ wallet }) => wallet.opWalletId)
  await db.updateTable('operational_wallets').set({ due_at: clock.now() }).where('id', 'in', ids).execute()
}
/** Calls `before` ahead of each question about a sender, which each plan asks. */
const slowed = (before: () => Promise<void> | void) => ({
  ...rebalancer.parts,
  chains: new Map(
    [...rebalancer.parts.chains].map(([name, chain]) => {
      const senderState: typeof chain.senderState = async (address) => {
        await before()
        return chain.senderState(address)
      }
      return [name, Object.assign(Object.create(chain), { senderState })] as const
    }),
  ),
})

test('one that stops ends the evaluations under way, and gives the other wallets back', async () => {
  const { engine } = rebalancer
  const uses: RebalancedWallet[] = []
  while (uses.length < 9) {
    const client = await engine.client({ usdc: 1_000n * USDC })
    uses.push(await rebalancer.monitor(client, 100n * USDC))
  }
  await engine.settle()
  await makeDue(uses)
  const stopping = new AbortController()
  let parts = 0
  expect(
    await evaluateDueWallets(
      slowed(() => stopping.abort()),
      { signal: stopping.signal, moved: () => (parts += 1) },
    ),
  ).toBe(8)
  expect(parts).toBe(1)
  const due = (await Promise.all(uses.map(rowOf))).flatMap(({ due_at }) => (due_at ? [due_at] : []))
  expect(due).toEqual([engine.clock.now()])
  expect(await evaluateDueWallets(rebalancer.parts)).toBe(1)
})

test('the wallets of one that died or froze are evaluated by others within 15 seconds', async () => {
  const use = await monitored(100n * USDC)
  const { db, clock } = rebalancer.engine
  await makeDue([use])
  await claimEvaluations(db, clock.now(), 1)
  expect(await evaluateDueWallets(rebalancer.parts)).toBe(0)
  clock.advance(15_000)
  expect(await evaluateDueWallets(rebalancer.parts)).toBe(1)
  expect(await operationsOf(use)).toHaveLength(1)
})

test('one that takes three times as long as a claim keeps its wallets', async () => {
  const use = await monitored(100n * USDC)
  const { db, clock } = rebalancer.engine
  await makeDue([use])
  let waits = 0
  const slow = slowed(async () => {
    for (; waits < 6; waits += 1) {
      clock.advance(EVALUATION_CLAIM_MS / 2)
      const end = clock.now().getTime() + EVALUATION_CLAIM_MS
      await until(async () => (await rowOf(use)).due_at!.getTime() === end)
      expect(await claimEvaluations(db, clock.now(), 1)).toEqual([])
    }
  })
  expect(await evaluateDueWallets(slow, { renewalMs: 20 })).toBe(1)
  expect(waits).toBe(6)
  expect(await operationsOf(use)).toHaveLength(1)
  expect(await rowOf(use)).toMatchObject({ due_at: null, last_evaluation: { outcome: 'planned' } })
})
