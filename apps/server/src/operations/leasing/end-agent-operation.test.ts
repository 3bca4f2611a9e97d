// Also tested elsewhere: issued bytes that stay tracked (report-failed.test.ts), operations that agents leave
// (sweep-agent-work.test.ts), and facts that changed before bytes were issued (issue-bytes.test.ts).
import { expect, test } from 'vitest'
import { useStore } from '../../../testing/operations/use-store.ts'
import { endAgentOperation } from './end-agent-operation.ts'

const store = useStore()

test.each([
  ['aborted', 'ABORTED', 'ABORTED'],
  ['agent_failed', 'FAILED', 'SUBMISSION'],
] as const)('%s ends the operation and releases its reservation in one transaction', async (event, state, reason) => {
  const wallet = await store.wallet()
  const before = await store.balances(wallet)
  const operation = await store.move(await store.operationalWallet(wallet))
  const reserved = await store.balances(wallet)
  expect(reserved.reserved).toBeGreaterThan(0n)
  const end = { operation, event, explanation: 'the balance is gone', at: store.clock.now() }
  const failing = store.tx(async (tx) => {
    await endAgentOperation(tx, end)
    throw new Error('the report was not stored')
  })
  await expect(failing).rejects.toThrow('the report was not stored')
  expect(await store.reload(operation)).toMatchObject({ state: 'EXECUTING' })
  expect(await store.balances(wallet)).toEqual(reserved)
  await store.tx((tx) => endAgentOperation(tx, end))
  expect(await store.reload(operation)).toMatchObject({ state, failureReason: reason })
  expect(await store.balances(wallet)).toEqual(before)
})
