import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSandbox, type TestSandbox } from '../../testing/chains/test-sandbox.ts'
import { advanceTime } from './advance-time.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox?.close())

const chains = () => [...sandbox.parts.sandbox.values()]
const heads = () => Promise.all(chains().map(({ dev }) => dev.head()))

test('all chains reach the same time, with a block at the last second of each day on the way', async () => {
  const before = await heads()
  const { now } = await advanceTime(sandbox.parts, 100 * 86_400)
  const after = await heads()
  expect(after.map(({ time }) => time)).toEqual([now, now, now])
  expect(now.getTime() - before[0]!.time.getTime()).toBeGreaterThanOrEqual(100 * 86_400_000)
  for (const [index, { faultFree }] of chains().entries()) {
    const [first, last] = [before[index]!.number + 1, after[index]!.number]
    const blocks = await Promise.all(
      Array.from({ length: last - first + 1 }, (_, offset) => faultFree.block(first + offset)),
    )
    const days = blocks.slice(1, -1).map((block) => block!.time.toISOString())
    expect(days).toHaveLength(100)
    expect(days.every((text) => text.endsWith('T23:59:59.000Z'))).toBe(true)
    expect(new Set(days).size).toBe(100)
  }
  // The follower caught up after every 40 blocks.
  const polygon = sandbox.waitedFor.filter((wait) => wait.startsWith('polygon'))
  expect(polygon).toHaveLength(3)
  expect(polygon.at(-1)).toBe(`polygon ${after[1]!.number}`)
})

test('concurrent calls wait for one another, and the seconds of all of them count', async () => {
  const [before] = await heads()
  const answers = await Promise.all([10, 20, 30].map((seconds) => advanceTime(sandbox.parts, seconds)))
  const times = answers.map(({ now }) => now.getTime() - before!.time.getTime())
  expect(times[0]).toBeGreaterThanOrEqual(10_000)
  expect(times[1]).toBeGreaterThanOrEqual(30_000)
  expect(times[2]).toBeGreaterThanOrEqual(60_000)
})

test('a chain that lags behind catches up', async () => {
  const [ethereum] = chains()
  await ethereum!.dev.increaseTime(5 * 86_400)
  const { now } = await advanceTime(sandbox.parts, 60)
  expect((await heads()).map(({ time }) => time)).toEqual([now, now, now])
})

test.each([0, -1, 1.5, 31_536_001, Number.NaN])('%d seconds are refused, and no clock moves', async (seconds) => {
  const before = await heads()
  await expect(advanceTime(sandbox.parts, seconds)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await heads()).toEqual(before)
})
