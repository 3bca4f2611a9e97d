import { expect, test } from 'vitest'
import { Failure } from '../../kernel/index.ts'
import { refusalsFirst } from './refusals-first.ts'

test('a refusal comes at once, any other error with the steps', async () => {
  expect((await refusalsFirst(Promise.resolve(['step'])))()).toEqual(['step'])
  await expect(refusalsFirst(Promise.reject(new Failure('AMOUNT_OUT_OF_BOUNDS')))).rejects.toThrow(Failure)
  const stepsOf = await refusalsFirst(Promise.reject(new RangeError('more than eight bytes')))
  expect(stepsOf).toThrow(RangeError)
})
