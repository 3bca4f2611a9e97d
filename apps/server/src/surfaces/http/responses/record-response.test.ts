import { expect, test } from 'vitest'
import type { Transact, Tx } from '../../../database/index.ts'
import { Failure } from '../../../kernel/index.ts'
import type { PresentedResponse } from './presented-response.ts'
import { recordResponse } from './record-response.ts'

const tx = {} as Tx

/** A transaction that reports whether it committed. */
function transaction() {
  const steps: string[] = []
  const transact: Transact<PresentedResponse> = async (work) => {
    const response = await work(tx)
    steps.push('commit')
    return response
  }
  return { steps, transact }
}

test('the response is recorded after the work and before the commit', async () => {
  const { steps, transact } = transaction()
  const recorder = {
    record: async (on: Tx, status: number, body: unknown) => {
      expect(on).toBe(tx)
      steps.push(`record ${status} ${JSON.stringify(body)}`)
    },
  }
  const response = await recordResponse(
    transact,
    recorder,
  )(async () => {
    steps.push('work')
    return { status: 201, body: { id: 7 } }
  })
  expect(response).toEqual({ status: 201, body: { id: 7 } })
  expect(steps).toEqual(['work', 'record 201 {"id":7}', 'commit'])
})

test('a committed refusal is not recorded here, because its response is the error', async () => {
  const { steps, transact } = transaction()
  const recorder = { record: async () => void steps.push('record') }
  await recordResponse(transact, recorder)(async () => ({ status: 409, body: {} }))
  expect(steps).toEqual(['commit'])
})

test('a lost claim rolls back the effect', async () => {
  const { steps, transact } = transaction()
  const recorder = { record: () => Promise.reject(new Failure('IDEMPOTENCY_CONFLICT')) }
  const recorded = recordResponse(transact, recorder)(async () => ({ status: 201, body: {} }))
  await expect(recorded).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  expect(steps).toEqual([])
})
