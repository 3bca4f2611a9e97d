import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { paced } from './paced.ts'
import { readAgain } from './read-again.ts'

test('a read that began before a change is followed by another, and none follows that one', async () => {
  const client = new QueryClient()
  let value = 'old'
  let reads = 0
  let answer = () => {}
  const queryFn = async () => {
    reads += 1
    const found = value
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return found
  }
  const stop = new QueryObserver(client, { queryKey: ['list'], queryFn }).subscribe(() => {})
  await expect.poll(() => reads).toBe(1)
  value = 'new'
  const reading = paced(() => readAgain(client, () => reading.ask()), { settleMs: 1, intervalMs: 5, longestMs: 10_000 })
  reading.ask()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(reads).toBe(1)
  answer()
  await expect.poll(() => reads).toBe(2)
  answer()
  await expect.poll(() => client.getQueryData(['list'])).toBe('new')
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(reads).toBe(2)
  reading.stop()
  stop()
})
