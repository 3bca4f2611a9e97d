// What the service does with the bytes is in system/sdk.test.ts; here it is scripted, away or behind a proxy.
import { describe, expect, test } from 'vitest'
import { ApiError, ConnectionError, type ExecuteOptions, OperationFailedError } from './index.ts'
import { type Answer, failing, json, lost, useScriptedService } from './testing/scripted-service.ts'

const service = useScriptedService()
const waiting = json(200, { operationId: 7, status: 'AWAITING_SIGNATURE', transactions: [] })
const confirming = json(200, { operationId: 7, status: 'CONFIRMING', transactions: [] })
const confirmed = json(200, { operationId: 7, status: 'CONFIRMED', transactions: [] })
const failed = json(200, { operationId: 7, status: 'FAILED', transactions: [] })
const unsigned = json(200, [{ attemptId: 3, unsignedTransaction: { serialized: '0x02' }, blockchain: 'polygon' }])
const submitted = json(200, {})
const underpriced = json(400, {
  code: 'SIMULATION_FAILED',
  message: 'No node accepts the transaction at this fee.',
  details: { reason: 'the fee is too low' },
})
const reverted = json(400, { code: 'SIMULATION_FAILED', message: 'no', details: { reason: 'it would revert' } })
const byProxy: Answer = (_request, response) => response.writeHead(502).end('<html>')

function run(answers: Answer[], options: ExecuteOptions = {}) {
  service.answers = answers
  let signatures = 0
  const signer = {
    sign: async () => {
      signatures += 1
      return '0x02signed'
    },
  }
  const { operations } = service.weir({ maxRetries: 0 })
  return operations.execute({ operationId: 7 }, signer, options).then(({ status }) => ({ status, signatures }))
}

describe('an execution', () => {
  test.each<[string, Answer]>([
    ['dead bytes are not settled', failing(503, 'CHAIN_UNAVAILABLE')],
    ['the service starts', failing(503, 'NOT_READY')],
    ['a proxy answers in its place', byProxy],
    ['the connection is lost', lost],
  ])('waits for its bytes while %s', async (_why, answer) => {
    const result = await run([waiting, answer, waiting, unsigned, submitted, confirmed])
    expect(result).toEqual({ status: 'CONFIRMED', signatures: 1 })
  })

  test.each<[string, Answer]>([
    ['is not ready', failing(503, 'NOT_READY')],
    ['is behind a proxy that answers in its place', byProxy],
    ['is away', lost],
  ])('reads its operation again while the service %s', async (_why, answer) => {
    expect(await run([confirming, answer, waiting, unsigned, submitted, answer, confirmed])).toMatchObject({
      signatures: 1,
    })
  })

  test('throws what a service said last that is away for longer than it has patience', async () => {
    await expect(run([confirming, lost], { patienceMs: 0 })).rejects.toBeInstanceOf(ConnectionError)
    await expect(run([confirming, byProxy], { patienceMs: 1_500 })).rejects.toMatchObject({ code: 'HTTP_502' })
    expect(service.seen.length).toBeGreaterThan(2)
  })

  test('throws at once where no service has answered yet', async () => {
    await expect(run([lost])).rejects.toBeInstanceOf(ConnectionError)
    expect(service.seen).toHaveLength(1)
  })

  test('ends its wait when the caller aborts', async () => {
    const abort = new AbortController()
    const reason = new Error('enough')
    setTimeout(() => abort.abort(reason), 100)
    await expect(run([confirming, lost], { signal: abort.signal })).rejects.toBe(reason)
  })

  test('throws the refusal of a read', async () => {
    await expect(run([failing(401, 'UNAUTHORIZED')])).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(run([waiting, failing(400, 'INSUFFICIENT_GAS')])).rejects.toMatchObject({ code: 'INSUFFICIENT_GAS' })
  })

  test('leaves it to the caller to repeat a submission that was lost', async () => {
    await expect(run([waiting, unsigned, lost])).rejects.toBeInstanceOf(ConnectionError)
  })

  test('signs new bytes where no node accepts the fee of the first, and throws another refusal', async () => {
    const result = await run([waiting, unsigned, underpriced, waiting, unsigned, submitted, confirmed])
    expect(result).toEqual({ status: 'CONFIRMED', signatures: 2 })
    await expect(run([waiting, unsigned, reverted])).rejects.toBeInstanceOf(ApiError)
  })

  test('fails with its operation', async () => {
    await expect(run([waiting, unsigned, underpriced, failed])).rejects.toBeInstanceOf(OperationFailedError)
  })
})
