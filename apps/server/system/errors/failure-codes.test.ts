import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import { type System, startSystem } from '../service/start-system.ts'
import { FAILURE_SCENARIOS, TIMEOUTS } from './failure-codes.ts'

let system: System
beforeAll(async () => {
  system = await startSystem({ ...TIMEOUTS, LOG_LEVEL: 'error' })
})
afterAll(() => system?.stop())

describe('a transaction that fails on chain has a failure code, and its operation ends with ONCHAIN:', () => {
  test.each(Object.entries(FAILURE_SCENARIOS))('%s', async (code, fails) => {
    const { read, position, explanation, reason } = await fails(system)
    const operation = await until(async () => {
      const found = await read()
      if (found.transactions[position]!.status !== 'failed') throw new Error(JSON.stringify(found))
      return found.transactions[position]!.failureCode === undefined ? undefined : found
    })
    expect(operation).toMatchObject({ status: 'FAILED', failureReason: 'ONCHAIN' })
    const transaction = operation.transactions[position]!
    expect(transaction.failureCode).toBe(code)
    expect(transaction.error).toMatch(explanation)
    if (reason) expect(transaction.revertReason).toMatch(reason)
  })
})

test('the document and the table agree: every documented failure code is raised here', async () => {
  const document = (await (await fetch(`${system.process.url}/openapi.json`)).json()) as {
    components: { schemas: { TransactionFailureCode: { enum: string[] } } }
  }
  const { enum: codes } = document.components.schemas.TransactionFailureCode
  expect(Object.keys(FAILURE_SCENARIOS).sort()).toEqual([...codes].sort())
})
