import { expect, test } from 'vitest'
import { supplyOf } from '../../../testing/operations/pending-supply.ts'
import { useReportedHashes } from '../../../testing/operations/use-reported-hashes.ts'
import { createOperationalWallet } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { readConfig } from '../../config.ts'
import type { Operation } from '../../operations/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import { previewRebalance } from '../preview-rebalance.ts'

const { use, recover, settleUnmatched, approvedPlan } = useReportedHashes()
const pass = () => use.engine.clock.advance(1_000)

/** What is held of explicit withdrawals, in whole tokens. */
async function onHold(opWallet: OperationalWallet): Promise<bigint> {
  const parts = { ...use.engine.parts, rebalancing: readConfig({}).rebalancing }
  return (await previewRebalance(parts, { opWallet })).input.onHold / USDC
}

/** A transaction is settled without Weir's knowledge of it, is then reported, and the ledger reverses what it posted. */
async function findLate(plan: Operation, hash: string): Promise<void> {
  pass()
  await settleUnmatched(plan)
  pass()
  await recover(plan, hash)
  pass()
  await use.engine.settle()
  pass()
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
}

test('a requested withdrawal that was found late is held, until it leaves the wallet', async () => {
  const { client, dev, engine } = use
  await client.complete(await client.supply(600n * USDC))
  const opWallet = await createOperationalWallet(engine, client, 0n)
  const plan = await client.unwind(200n * USDC)
  await findLate(plan, await dev.included(await client.send(plan.transactions[0]!)))
  expect(await onHold(opWallet)).toBe(200n)
  await dev.included(await client.spend(150n * USDC))
  await engine.settle()
  expect(await onHold(opWallet)).toBe(50n)
})

test('a client’s deposit that was found late counts once against what is held', async () => {
  const { client, dev, engine } = use
  await client.complete(await client.supply(700n * USDC))
  const opWallet = await createOperationalWallet(engine, client, 0n)
  pass()
  await client.complete(await client.unwind(400n * USDC))
  pass()
  expect(await onHold(opWallet)).toBe(400n)
  const plan = await approvedPlan(100n * USDC)
  await findLate(plan, await dev.included(await client.send(supplyOf(plan))))
  expect(await onHold(opWallet)).toBe(300n)
})
