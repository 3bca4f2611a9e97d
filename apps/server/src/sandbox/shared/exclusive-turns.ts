import type { Heartbeat } from '../../chains/index.ts'
import { createRunExclusive } from '../run-exclusive.ts'

/** The turns of calls that move the clocks, over all processes that share the chains. */
export interface ExclusiveTurns {
  /** Calls `granted` when it is this holder's turn, which lasts until `over` resolves. */
  take(over: Promise<void>, granted: () => void): Promise<void>
  /** Pauses a chain's heartbeat until the end of the current turn. Throws outside a turn. */
  pause(heartbeat: Heartbeat): Promise<void>
}

/** A holder that dies ends its turn: its connection closes, and the heartbeats that it paused go on. */
export function createExclusiveTurns(): ExclusiveTurns {
  const runExclusive = createRunExclusive()
  let paused: Heartbeat[] | undefined

  return {
    take: (over, granted) =>
      runExclusive(async () => {
        paused = []
        granted()
        await over
        const held = paused
        paused = undefined
        for (const heartbeat of held) heartbeat.resume()
      }),
    async pause(heartbeat) {
      const held = paused
      if (held === undefined) throw new Error('Only the holder of the exclusive turn can pause a chain')
      await heartbeat.pause()
      // The turn may have ended while the last beat ran.
      if (held === paused) held.push(heartbeat)
      else heartbeat.resume()
    },
  }
}
