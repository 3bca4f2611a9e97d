import { expect, test } from 'vitest'
import type { Transact, Tx } from '../../../database/index.ts'
import type { PresentedResponse } from '../responses/presented-response.ts'
import { recordAuditEntry } from './record-audit-entry.ts'

const tx = {} as Tx

test('the entry is written from the response, after the work and before the commit, errors included', async () => {
  for (const status of [201, 409]) {
    const steps: string[] = []
    const transact: Transact<PresentedResponse> = async (work) => {
      const response = await work(tx)
      steps.push('commit')
      return response
    }
    const recorder = {
      record: async (on: Tx, body: unknown) => {
        expect(on).toBe(tx)
        steps.push(`entry ${JSON.stringify(body)}`)
      },
    }
    await recordAuditEntry(
      transact,
      recorder,
    )(async () => {
      steps.push('work')
      return { status, body: { id: 7 } }
    })
    expect(steps).toEqual(['work', 'entry {"id":7}', 'commit'])
  }
})

test('an entry that cannot be written rolls back the effect', async () => {
  const transact: Transact<PresentedResponse> = (work) => work(tx)
  const recorder = { record: () => Promise.reject(new Error('the log is full')) }
  const written = recordAuditEntry(transact, recorder)(async () => ({ status: 201, body: {} }))
  await expect(written).rejects.toThrow('the log is full')
})
