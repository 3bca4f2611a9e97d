import type { Ledger } from './ledger.ts'

/** Decides when to produce blocks: quickly while there are transactions, at intervals otherwise. */
export type BlockProducer = {
  /** Call when a transaction waits for a block. */
  nudge(): void
  /** Stops automatic blocks. Pauses nest: each needs its own resume(). */
  pause(): void
  resume(): void
  stop(): void
}

export type BlockProducerOptions = {
  readonly slotMs: number
  /** Milliseconds between two blocks while idle; 0: none. */
  readonly heartbeatMs: number
}

/** How many quick blocks follow a transaction: clients that wait for confirmations get them soon. */
const LINGERING_BLOCKS = 32

/** Most idle slots skipped at once: as many as a follower would see skipped on a real cluster. */
const MAX_SKIPPED = 4

/** Calls `failed` with the error when a block fails; no block follows. */
export function startBlockProducer(
  ledger: Ledger,
  options: BlockProducerOptions,
  failed: (error: unknown) => void,
): BlockProducer {
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
