import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode, statusOf } from '../../src/kernel/index.ts'
import { emptyDatabase } from '../../testing/index.ts'
import type { Refusal } from '../clients/client.ts'
import { type System, startSystem } from '../service/start-system.ts'
import { ERROR_SCENARIOS } from './error-codes.ts'
import type { ErrorScenarioContext } from './error-scenario-context.ts'

let system: System
let ground: ErrorScenarioContext
let drop: () => Promise<void>
let other: Promise<System> | undefined

beforeAll(async () => {
  const database = await emptyDatabase()
  drop = database.drop
  system = await startSystem({ DATABASE_URL: database.url, LOG_LEVEL: 'fatal' })
  const withoutRampProvider = () => {
    other ??= startSystem({ RAMP_PROVIDER: 'none' })
    return other
  }
  const aave = await system.strategy('polygon', 'Aave V3 USDC')
  ground = { system, databaseUrl: database.url, aave, withoutRampProvider }
})
afterAll(async () => {
  await system?.stop()
  await (await other)?.stop()
  await drop?.()
})

const codes = Object.keys(ERRORS) as ErrorCode[]

describe('over HTTP, each code of the registry is raised, with its status, sentence and shape:', () => {
  test.each(codes)('%s', async (code) => {
    const answer = await ERROR_SCENARIOS[code](ground)
    const refusal = answer.body as Refusal
    const isV1 = refusal.statusCode !== undefined
    expect({ status: answer.status, code: refusal.code }, answer.text).toEqual({
      status: statusOf(code, isV1 ? 'v1' : 'core'),
      code,
    })
    expect(refusal.message).toMatch(/\S/)
    expect(refusal.requestId).toBe(answer.headers.get('x-request-id'))
    expect(answer.text).not.toMatch(/\n\s+at |select |relation /)
  })
})

test('the registry and the table agree: every code has a scenario that raises it', () => {
  expect(Object.keys(ERROR_SCENARIOS).sort()).toEqual([...codes].sort())
})
