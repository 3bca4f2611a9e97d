import { expect, test } from 'vitest'
import { ApiError } from '../../sdk/src/index.ts'
import { dataResult, withErrorResults } from './results.ts'

test('URLs in data are shortened to their host, whichever tool read them', () => {
  const data = {
    detail: { decisions: [{ link: 'https://drive.example/s/secret' }] },
    event: { data: { url: 'https://hooks.example/services/secret' } },
  }
  expect(dataResult(data).structuredContent).toEqual({
    untrustedData: {
      detail: { decisions: [{ link: 'https://drive.example/…' }] },
      event: { data: { url: 'https://hooks.example/…' } },
    },
  })
})

test('a refusal of the service says no more of an object than a result does', async () => {
  const details = { url: 'https://hooks.example/services/secret', account_number: '000123456789', reason: 'in_use' }
  const refuse = withErrorResults(async () => {
    const facts = { code: 'CONFLICT', status: 409, message: 'In use.', details }
    throw new ApiError({ ...facts, requestId: 'req_1', retryAfterMs: undefined })
  })
  const text = JSON.stringify(await refuse({}))
  expect(text).toContain('hooks.example')
  expect(text).not.toMatch(/secret|000123456789/)
})
