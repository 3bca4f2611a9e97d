// Also tested elsewhere: what a deployment that waits does (rebalancing/waiting-deployments.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import { USDC } from '../../../testing/units.ts'
import type { Operation } from '../../operations/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import { WITHDRAWAL_WAITS } from '../awaited/awaited-withdrawal.ts'
import { advanceAwaited, openAwaited } from '../awaited/write-awaited.ts'
import type { RebalanceSettings } from '../settings.ts'
import { type DepositLimits, NO_LIMITS } from './deposit-limits.ts'
import { limitReasonFor } from './limit-reason.ts'
import { setDepositLimits } from './set-deposit-limits.ts'
import { setCap } from './strategy-caps.ts'

const store = useStore()
let opWallet: OperationalWallet
/** 100 of the wallet's 1,000 USDC. */
let deployment: Operation
beforeEach(async () => {
  opWallet = await store.operationalWallet(await store.wallet())
  const { protocol } = store.strategy
  await store.db
    .updateTable('strategies')
    .set({ protocol, tvl: 10_000n * USDC, liquidity: 10_000n * USDC })
    .execute()
})

const plan = async () => {
  deployment = await store.move(opWallet)
  store.clock.advance(1)
}
const limit = (change: Partial<DepositLimits>) =>
  setDepositLimits(store.parts, {
    organizationId: opWallet.organizationId,
    limits: { ...NO_LIMITS, ...change },
  })
const cap = (shareBps: number) =>
  setCap(store.parts, { organizationId: opWallet.organizationId, strategyId: store.strategy.id, shareBps })
const pool = (change: { tvl?: bigint | null; liquidity?: bigint | null; price?: bigint }) =>
  store.db.updateTable('strategies').set(change).where('id', '=', store.strategy.id).execute()
const reason = (depositLimits: RebalanceSettings['depositLimits'] = 'none') => {
  const rebalancing = { depositLimits } as RebalanceSettings
  return store.tx((tx) => limitReasonFor({ ...store.parts, rebalancing })(tx, deployment))
}

test('where a withdrawal is awaited, nothing is deposited, until that ends', async () => {
  await plan()
  const { organizationId, opWalletId } = opWallet
  const position = { organizationId, opWalletId, strategyId: store.strategy.id, amount: null, requestedBy: BY_KEY }
  const at = store.clock.now()
  const awaited = await store.tx((tx) => openAwaited(tx, position, at))
  expect(await reason()).toBe(WITHDRAWAL_WAITS)
  await store.tx((tx) => advanceAwaited(tx, { organizationId, ...awaited }, 'cancelled', at))
  expect(await reason()).toBeUndefined()
})

test('its own reservation counts once: a deployment that fills its limits exactly goes on', async () => {
  await plan()
  await limit({
    caps: [{ kind: 'strategy', of: String(store.strategy.id), shareBps: 1_000 }],
    poolShareBps: 100,
  })
  await cap(1_000)
  expect(await reason()).toBeUndefined()
})

test('limits and caps that were lowered since bind to the last unit', async () => {
  await plan()
  await limit({ caps: [{ kind: 'blockchain', of: 'polygon', shareBps: 999 }] })
  expect(await reason()).toBe("the organization's limit for polygon is reached")
  await limit({})
  expect(await reason()).toBeUndefined()
  await cap(999)
  expect(await reason()).toBe("the organization's share in it is at its cap")
})

test('a pool that shrank a little since stops nothing, one that shrank by more does', async () => {
  await limit({ poolShareBps: 100 })
  store.clock.advance(1)
  await plan()
  // The deployment of 100 is planned as 95 again: not worth an end.
  await pool({ tvl: 9_500n * USDC })
  expect(await reason()).toBeUndefined()
  await pool({ tvl: 9_499n * USDC })
  expect(await reason()).toContain('share of its deposits')
})

test('a pool that was not read last stops nothing', async () => {
  await limit({ poolShareBps: 100, liquidityShareBps: 2_500, priceFallBps: 100 })
  store.clock.advance(1)
  await plan()
  await pool({ tvl: null, liquidity: null })
  expect(await reason()).toBeUndefined()
})

test('a strategy off the allow-list takes nothing, nor one that pays later and is not named', async () => {
  await plan()
  await limit({ allowedStrategies: [] })
  expect(await reason()).toContain('allow-list')
  await limit({})
  await store.db.updateTable('strategies').set({ protocol: 'erc7540' }).where('id', '=', store.strategy.id).execute()
  expect(await reason()).toContain('its withdrawals take time')
  await limit({ allowedStrategies: [store.strategy.id] })
  expect(await reason()).toBeUndefined()
})

test('organizations that set none have the limits of the installation', async () => {
  await plan()
  await pool({ tvl: 999n * USDC })
  expect(await reason()).toBeUndefined()
  expect(await reason('conservative')).toBeUndefined()
  await pool({ tvl: 500n * USDC })
  expect(await reason('conservative')).toContain('share of its deposits')
})

test('another organization’s limits do not count', async () => {
  await plan()
  const organizationId = await store.organization()
  await setDepositLimits(store.parts, { organizationId, limits: { ...NO_LIMITS, allowedStrategies: [] } })
  expect(await reason()).toBeUndefined()
})
