import { expect, test } from 'vitest'
import { settledWithin } from './settled-within.ts'

test('waits for the work, and not for work that takes longer', async () => {
  let isDone = false
  const work = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => {
    isDone = true
  })
  await settledWithin(work, 60_000)
  expect(isDone).toBe(true)
  await settledWithin(new Promise(() => {}), 5)
})
