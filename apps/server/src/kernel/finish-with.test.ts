import { expect, test } from 'vitest'
import { finishWith } from './finish-with.ts'

const fails = (text: string) => async () => {
  throw new Error(text)
}

test('what follows the work runs whatever happened, and the first error is thrown', async () => {
  const ran: string[] = []
  const after = async () => ran.push('after')
  expect(await finishWith(async () => 7, after)).toBe(7)
  await expect(finishWith(fails('work'), after)).rejects.toThrow('work')
  expect(ran).toEqual(['after', 'after'])
  await expect(finishWith(async () => 7, fails('after'))).rejects.toThrow('after')
  await expect(finishWith(fails('work'), fails('after'))).rejects.toThrow('work')
})
