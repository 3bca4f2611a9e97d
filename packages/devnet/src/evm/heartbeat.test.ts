import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startHeartbeat } from './heartbeat.ts'
import { type EvmChain, startEvmChain } from './start-evm-chain.ts'
import { temporaryFolder, user } from './test-chain.ts'

/** For a busy machine. */
const PATIENTLY = { timeout: 30_000 }

const folder = temporaryFolder()
let chain: EvmChain

beforeAll(async () => {
  chain = await startEvmChain({ blockchain: 'base', dataDir: folder.path, heartbeatSeconds: 0.01 })
})

afterAll(async () => {
  await chain?.stop()
  folder.remove()
})

test('blocks are mined while nobody transacts', async () => {
  const { client } = user(chain)
  const first = await client.getBlockNumber()
  await vi.waitFor(async () => expect(await client.getBlockNumber()).toBeGreaterThan(first + 3n), PATIENTLY)
})

test('a paused heartbeat mines nothing between the blocks of its caller', async () => {
  const { client } = user(chain)
  await chain.pauseHeartbeat()
  const { number, timestamp } = await chain.mine(1)
  await chain.setNextBlockTimestamp(timestamp + 1_000)
  const advanced = await chain.mine(1)
  const year = await chain.increaseTime(31_536_000)
  expect(advanced).toEqual({ number: number + 1, timestamp: timestamp + 1_000 })
  expect(year.number).toBe(number + 2)
  expect(year.timestamp).toBeGreaterThanOrEqual(advanced.timestamp + 31_536_000)
  chain.resumeHeartbeat()
  await vi.waitFor(async () => expect(await client.getBlockNumber()).toBeGreaterThan(BigInt(year.number)), PATIENTLY)
})

test('a heartbeat of 0 seconds never beats', async () => {
  vi.useFakeTimers()
  const asked: string[] = []
  const heartbeat = startHeartbeat(
    {
      url: '',
      async call<Result>(method: string) {
        asked.push(method)
        return '0x1' as Result
      },
      batch: async () => [],
    },
    0,
    () => {},
  )
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  await heartbeat.stop()
  expect(asked).toEqual([])
})

test('time advances by at least a whole second, never backwards', async () => {
  await expect(chain.increaseTime(0)).rejects.toThrow(RangeError)
  await expect(chain.increaseTime(-5)).rejects.toThrow(RangeError)
  await expect(chain.mine(1.5)).rejects.toThrow(RangeError)
})
