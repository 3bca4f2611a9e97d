// Also tested elsewhere: which bytes are sent after a crash (check-pending.test.ts) and after a reorganization
// (settlement/reorgs/rollback-reorged-blocks.test.ts), and what a refusal means (../../transactions/broadcast-stored-bytes.test.ts).
import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { partsThatDieBeforeSending } from '../../../../testing/operations/pending-supply.ts'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import type { BroadcastResult } from '../../../chains/index.ts'
import { BROADCAST_REQUEST_TIMEOUT_MS, SENDS_AT_ONCE } from '../../../kernel/index.ts'
import { submitSigned } from '../../index.ts'
import { checkPendingTransactions } from './check-pending.ts'
import { newSendingProgress } from './send-pending.ts'

const use = useEngine()
const NO_RESULT: BroadcastResult = { outcome: 'unknown', reason: 'timed out' }

/** Stores signed bytes of a supply, as a process that dies before it sends them. */
async function storeUnsent(client: TestClient): Promise<string> {
  const plan = await client.supply(100n * USDC)
  const raw = await client.sign(plan.transactions[0]!)
  const input = { scope: client.scope, operationId: plan.operationId, signedTransaction: raw }
  await expect(submitSigned(partsThatDieBeforeSending(use.engine), input)).rejects.toThrow('died')
  return raw
}

async function storeMany(count: number): Promise<string[]> {
  const stored: string[] = []
  for (let index = 0; index < count; index += 1) stored.push(await storeUnsent(await use.engine.client()))
  use.engine.clock.advance(BROADCAST_REQUEST_TIMEOUT_MS)
  return stored
}

/** A chain that records what is sent, and how much at once. */
function recording(answer: (raw: string) => Promise<BroadcastResult>) {
  const sent: string[] = []
  const found = { running: 0, most: 0 }
  const broadcast = async (raw: string) => {
    sent.push(raw)
    found.running += 1
    found.most = Math.max(found.most, found.running)
    await new Promise(setImmediate)
    found.running -= 1
    return answer(raw)
  }
  return { chain: { ...use.engine.chain, broadcast }, sent, found }
}

test('a few are sent at once, and none once the process is to stop', async () => {
  const stored = await storeMany(SENDS_AT_ONCE + 2)
  const { chain, sent, found } = recording((raw) => use.engine.chain.broadcast(raw))
  await checkPendingTransactions(use.engine.parts, chain, { signal: AbortSignal.abort() })
  expect(sent).toEqual([])
  await checkPendingTransactions(use.engine.parts, chain)
  expect(sent.toSorted()).toEqual(stored.toSorted())
  expect(found.most).toBe(SENDS_AT_ONCE)
})

test('a sending without a result is the last of its check, and the next check begins after it', async () => {
  const stored = await storeMany(SENDS_AT_ONCE + 2)
  const sending = newSendingProgress()
  const { chain, sent } = recording(async () => NO_RESULT)
  await checkPendingTransactions(use.engine.parts, chain, { sending })
  expect(sent).toHaveLength(SENDS_AT_ONCE)
  const first = sent.splice(0)
  await checkPendingTransactions(use.engine.parts, chain, { sending })
  expect(sent.slice(0, 2).toSorted()).toEqual(stored.filter((raw) => !first.includes(raw)).toSorted())
})

test('bytes whose operation failed while earlier sends hung are no longer sent', async () => {
  const stored = await storeMany(SENDS_AT_ONCE + 1)
  const gate = Promise.withResolvers<void>()
  const { chain, sent } = recording(async (raw) => {
    await gate.promise
    return use.engine.chain.broadcast(raw)
  })
  const sending = newSendingProgress()
  await checkPendingTransactions(use.engine.parts, chain, { sending })
  const { underway } = sending
  use.engine.clock.advance(121_000)
  await checkPendingTransactions(use.engine.parts, chain, { sending })
  gate.resolve()
  await underway
  expect(sent).toHaveLength(SENDS_AT_ONCE)
  expect(stored).toHaveLength(SENDS_AT_ONCE + 1)
})

test('sends that hang hold up a check for seconds, and the next check starts no others beside them', async () => {
  const [raw] = await storeMany(1)
  const sending = newSendingProgress()
  const gate = Promise.withResolvers<BroadcastResult>()
  const { chain, sent } = recording(() => gate.promise)
  await checkPendingTransactions(use.engine.parts, chain, { sending })
  expect(sent).toEqual([raw])
  const next = checkPendingTransactions(use.engine.parts, chain, { sending })
  gate.resolve(await use.engine.chain.broadcast(raw!))
  await next
  expect(sent).toEqual([raw])
  await use.dev.included(keccak256(raw as `0x${string}`))
})
