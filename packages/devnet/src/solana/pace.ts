import type { Ledger } from './ledger.ts'

/** When blocks come: in quick succession while something happens, now and then otherwise. */
export type Pace = {
  /** Something waits for a block. */
  nudge(): void
  /** No block comes by itself until as many resumes as pauses. */
  pause(): void
  resume(): void
  stop(): void
}

export type PaceOptions = {
  readonly slotMs: number
  /** Between two blocks while nothing happens; 0: none. */
  readonly heartbeatMs: number
}

/** Blocks still come quickly after a transaction, so that whoever counts confirmations has them soon. */
const LINGERING_BLOCKS = 32

/** Slots that pass without a block are skipped, but no more at once than a follower would see on a real cluster. */
const MAX_SKIPPED = 4

/** `failed` is told what went wrong with a block; none comes after that. */
export function startPace(ledger: Ledger, options: PaceOptions, failed: (error: unknown) => void): Pace {
  let pauses = 0
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let lastAt = 0
  let busyUntil = -1
  let comesSoon = false

  function schedule(): void {
    clearTimeout(timer)
    comesSoon = false
    if (pauses > 0 || stopped) return
    const { now, later } = ledger.waiting()
    const busy = now + later > 0 || ledger.head().height < busyUntil
    if (!busy && options.heartbeatMs === 0) return
    const due = lastAt + (busy ? options.slotMs : options.heartbeatMs)
    comesSoon = busy
    timer = setTimeout(beat, Math.max(0, due - performance.now()))
  }

  function beat(): void {
    const { now, later } = ledger.waiting()
    const slots = Math.floor((performance.now() - lastAt) / options.slotMs) - 1
    const skipped = now + later > 0 ? 0 : Math.max(0, Math.min(MAX_SKIPPED, slots))
    lastAt = performance.now()
    try {
      const { height } = ledger.produce(skipped)
      if (now > 0) busyUntil = height + LINGERING_BLOCKS
      schedule()
    } catch (error) {
      stopped = true
      failed(error)
    }
  }

  lastAt = performance.now()
  schedule()
  return {
    nudge() {
      if (!comesSoon) schedule()
    },
    pause() {
      pauses++
      schedule()
    },
    resume() {
      if (pauses === 0) throw new Error('the blocks are not paused')
      pauses--
      schedule()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
