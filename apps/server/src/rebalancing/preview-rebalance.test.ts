import { expect, test } from 'vitest'
import { useEngine } from '../../testing/operations/use-engine.ts'
import {
  createOperationalWallet,
  MANUAL_POLICY,
  planExplicitMove,
  setPolicy,
} from '../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../testing/units.ts'
import { readConfig } from '../config.ts'
import { previewRebalance } from './preview-rebalance.ts'

const use = useEngine()

test('a preview does not plan funds that a waiting operation already reserves', async () => {
  const { engine } = use
  const parts = { ...engine.parts, rebalancing: readConfig({}).rebalancing }
  const opWallet = await createOperationalWallet(engine, use.client, 100n * USDC)
  await setPolicy(engine, opWallet.organizationId, MANUAL_POLICY)
  const waiting = await planExplicitMove(engine, opWallet, { type: 'SUPPLY', amount: 900n * USDC })
  const preview = await previewRebalance(parts, { opWallet })
  expect(preview).toMatchObject({ moves: [], excess: 0n, blockedByOperationId: waiting.operationId })
  expect(preview.input.available).toBe(100n * USDC)
})

test('a preview says until when a requested withdrawal is held: an hour from the last one', async () => {
  const { engine } = use
  const parts = { ...engine.parts, rebalancing: readConfig({}).rebalancing }
  const opWallet = await createOperationalWallet(engine, use.client, 0n)
  await use.client.complete(await use.client.supply(500n * USDC))
  engine.clock.advance(1)
  expect((await previewRebalance(parts, { opWallet })).heldUntil).toBeUndefined()
  await use.client.complete(await use.client.unwind(100n * USDC))
  engine.clock.advance(60_000)
  await use.client.complete(await use.client.unwind(200n * USDC))
  const last = engine.clock.now().getTime()
  const held = await previewRebalance(parts, { opWallet })
  expect(held).toMatchObject({ input: { onHold: 300n * USDC } })
  expect(held.heldUntil!.getTime() - last).toBeGreaterThan(3_600_000 - 60_000)
  expect(held.heldUntil!.getTime() - last).toBeLessThanOrEqual(3_600_000)
  engine.clock.advance(3_600_000)
  expect((await previewRebalance(parts, { opWallet })).heldUntil).toBeUndefined()
})
