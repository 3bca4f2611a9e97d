import { expect, test } from 'vitest'
import { USDC } from '../../testing/main-job.ts'
import { MANUAL, monitor, move, setPolicy } from '../../testing/monitored.ts'
import { useMainJob } from '../../testing/use-main-job.ts'
import { readConfig } from '../config.ts'
import { previewRebalance } from './preview.ts'

const use = useMainJob()

test('a preview does not move again what an operation that waits already holds', async () => {
  const { job } = use
  const parts = { ...job.parts, rebalancing: readConfig({}).rebalancing }
  const opWallet = await monitor(job, use.client, '100')
  await setPolicy(job, opWallet.organizationId, MANUAL)
  const waiting = await move(job, opWallet, { type: 'SUPPLY', amount: 900n * USDC })
  const preview = await previewRebalance(parts, { opWallet })
  expect(preview).toMatchObject({ moves: [], excess: 0n, waitsFor: waiting.operationId })
  expect(preview.situation.available).toBe(100n * USDC)
})
