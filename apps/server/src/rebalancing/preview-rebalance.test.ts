import { expect, test } from 'vitest'
import {
  createOperationalWallet,
  MANUAL_POLICY,
  planExplicitMove,
  setPolicy,
} from '../../testing/operational-wallets.ts'
import { USDC } from '../../testing/units.ts'
import { useEngine } from '../../testing/use-engine.ts'
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
