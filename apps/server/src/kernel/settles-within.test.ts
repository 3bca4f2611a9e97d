import { expect, test } from 'vitest'
import { settlesWithin } from './settles-within.ts'

test('what ends in time is true, what does not is false, and an error in time is thrown', async () => {
  expect(await settlesWithin(Promise.resolve('done'), 60_000)).toBe(true)
  expect(await settlesWithin(new Promise(() => {}), 5)).toBe(false)
  await expect(settlesWithin(Promise.reject(new Error('no')), 60_000)).rejects.toThrow('no')
})
