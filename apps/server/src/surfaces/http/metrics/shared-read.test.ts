import { expect, test } from 'vitest'
import { sharedRead } from './shared-read.ts'

/** Reads that end when the test says so. */
function heldReads() {
  const ends: ((value: number) => void)[] = []
  const read = () => new Promise<number>((resolve) => ends.push(resolve))
  return { read, ends }
}

test('callers share a read while it runs, and its result for a while after it', async () => {
  const { read, ends } = heldReads()
  const shared = sharedRead(read, { freshMs: 60_000 })
  const both = Promise.all([shared(), shared()])
  ends[0]!(7)
  expect(await both).toEqual([7, 7])
  expect(await shared()).toBe(7)
  expect(ends).toHaveLength(1)
})

test('a read that does not come back rejects its callers in time, and is not begun a second time', async () => {
  const { read, ends } = heldReads()
  const shared = sharedRead(read, { freshMs: 0, timeoutMs: 1 })
  await expect(shared()).rejects.toThrow('no result in 1 ms')
  await expect(shared()).rejects.toThrow('no result in 1 ms')
  expect(ends).toHaveLength(1)
  ends[0]!(7)
})

test('an error is not kept', async () => {
  const results = [Promise.reject(new Error('away')), Promise.resolve(7)]
  const shared = sharedRead(() => results.shift()!)
  await expect(shared()).rejects.toThrow('away')
  expect(await shared()).toBe(7)
})
