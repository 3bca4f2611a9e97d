import { expect, test } from 'vitest'
import { withCleanup } from './with-cleanup.ts'

const fails = (text: string) => async () => {
  throw new Error(text)
}

test('what follows the work runs whatever happened, and the first error is thrown', async () => {
  const ran: string[] = []
  const after = async () => ran.push('after')
  expect(await withCleanup(async () => 7, after)).toBe(7)
  await expect(withCleanup(fails('work'), after)).rejects.toThrow('work')
  expect(ran).toEqual(['after', 'after'])
  await expect(withCleanup(async () => 7, fails('after'))).rejects.toThrow('after')
  await expect(withCleanup(fails('work'), fails('after'))).rejects.toThrow('work')
})
