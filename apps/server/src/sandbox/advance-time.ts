import type { DevHead } from '../chains/index.ts'
import {
  ADVANCE_BLOCKS_BATCH,
  ADVANCE_SECONDS_MAX,
  addMilliseconds,
  Failure,
  validationError,
} from '../kernel/index.ts'
import { dayEnds } from './day-ends.ts'
import type { SandboxChain, SandboxParts } from './parts.ts'

type AdvanceParts = Pick<SandboxParts, 'sandbox' | 'runExclusive' | 'waitUntilRecorded' | 'log'>

/**
 * Moves the clocks of all embedded chains to one common time: `seconds` (1 to 31,536,000) after the clock that is
 * furthest ahead. Mines a block at the last second of each UTC day on the way, so the follower can take that day's
 * snapshot (contract 13). Calls run one after another. Returns the new time.
 *
 * Errors: VALIDATION_ERROR; CHAIN_UNAVAILABLE when a chain stops responding, with its clock somewhere on the way.
 */
export async function advanceTime(parts: AdvanceParts, seconds: number): Promise<{ now: Date }> {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > ADVANCE_SECONDS_MAX) {
    throw validationError('seconds', `must be a whole number from 1 to ${ADVANCE_SECONDS_MAX}`)
  }
  return parts.runExclusive(async () => {
    const chains = [...parts.sandbox.values()]
    await Promise.all(chains.map(({ heartbeat }) => heartbeat.pause()))
    try {
      return await advanceAll(parts, chains, seconds)
    } catch (error) {
      if (error instanceof Failure) throw error
      const message = 'An embedded chain is not responding; its clock may have moved only part of the way.'
      throw new Failure('CHAIN_UNAVAILABLE', { message, cause: error })
    } finally {
      for (const { heartbeat } of chains) heartbeat.resume()
    }
  })
}

async function advanceAll(parts: AdvanceParts, chains: SandboxChain[], seconds: number): Promise<{ now: Date }> {
  // Only a fresh block shows the clock: the last block may be a minute old.
  const starts = await Promise.all(chains.map(({ dev }) => dev.mine(1)))
  const now = addMilliseconds(new Date(Math.max(...starts.map(({ time }) => time.getTime()))), seconds * 1_000)
  const routes = chains.map((chain, index) => ({ chain, stops: [...dayEnds(starts[index]!.time, now), now] }))
  const blocks = Math.max(...routes.map(({ stops }) => stops.length))

  for (let done = 0; done < blocks; done += ADVANCE_BLOCKS_BATCH) {
    await Promise.all(
      routes.map(async ({ chain, stops }) => {
        const head = await mineAtEach(chain, stops.slice(done, done + ADVANCE_BLOCKS_BATCH))
        await parts.waitUntilRecorded?.(chain.network.blockchain, head.number)
      }),
    )
    if (blocks > ADVANCE_BLOCKS_BATCH) {
      const passed = Math.min(done + ADVANCE_BLOCKS_BATCH, blocks)
      parts.log.info({ days: passed, of: blocks, to: now.toISOString() }, 'advancing the chains’ clocks')
    }
  }
  return { now }
}

async function mineAtEach({ dev }: SandboxChain, stops: readonly Date[]): Promise<DevHead> {
  let head = await dev.head()
  for (const stop of stops) {
    if (stop <= head.time) continue
    try {
      head = await dev.mineAt(stop)
    } catch (error) {
      // Another transaction may have been mined at or just after this second. That block serves as the stop.
      head = await dev.head()
      if (head.time < stop) throw error
    }
  }
  return head
}
