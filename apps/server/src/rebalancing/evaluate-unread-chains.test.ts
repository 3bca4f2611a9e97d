// Tests `evaluate-due-wallets.ts` where a chain is silent.
import { expect, test } from 'vitest'
import { USDC } from '../../testing/units.ts'
import { useRebalancer } from '../../testing/use-rebalancer.ts'
import type { Chain } from '../chains/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'

const rebalancer = useRebalancer()
const { operationsOf, rowOf, evaluateAll } = rebalancer

const monitored = async () => rebalancer.monitor(await rebalancer.fundedClient(1_000n * USDC), 100n * USDC)

test('nothing waits for a chain whose nodes are silent: its wallets are evaluated again soon', async () => {
  const use = await monitored()
  const { parts } = rebalancer
  const [[blockchain, chain]] = [...parts.chains] as [[string, Chain]]
  const calls: unknown[] = []
  const silent: Chain = {
    ...chain,
    isResting: () => true,
    balances: (asked) => {
      calls.push(asked)
      return new Promise<bigint[]>(() => undefined)
    },
  }
  await evaluateDueWallets({ ...parts, chains: new Map([[blockchain, silent]]) })
  expect(calls).toEqual([])
  expect(await rowOf(use)).toMatchObject({ due_at: expect.any(Date), last_evaluation: { outcome: 'unseen' } })
  expect(await operationsOf(use)).toEqual([])
})

test('a wallet whose deployment waits is evaluated again soon where its chain could not be read', async () => {
  const use = await monitored()
  await evaluateAll()
  const { parts } = rebalancer
  const [[blockchain, chain]] = [...parts.chains] as [[string, Chain]]
  await rebalancer.engine.db
    .updateTable('operational_wallets')
    .set({ due_at: parts.clock.now() })
    .where('id', '=', use.wallet.opWalletId)
    .execute()
  await evaluateDueWallets({ ...parts, chains: new Map([[blockchain, { ...chain, isResting: () => true }]]) })
  expect(await rowOf(use)).toMatchObject({ due_at: expect.any(Date), last_evaluation: { outcome: 'waiting' } })
  expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', state: 'EXECUTING' }])
})
