import type { Random } from '../random.ts'

/** Work that waits for its turn to call the chain or to take the database connection. */
interface Waiting {
  readonly go: () => void
  readonly needsConnection: boolean
  readonly process: number | undefined
}

/** How one process takes its turns. */
export type Turns = Pick<Schedule, 'turn' | 'connect' | 'disconnect' | 'during'>

/**
 * Decides what runs next wherever requests could overtake each other, from the seed alone. Releases one piece of work
 * at a time, and only when everything else is waiting: the same seed gives the same interleaving, however fast the
 * database responds.
 */
export class Schedule {
  readonly #random: Random
  #waiting: Waiting[] = []
  #busy = 0
  #connected = false
  #idle: (() => void) | undefined
  /** The process that hangs: it gets no turn. */
  #hung: number | undefined

  constructor(random: Random) {
    this.#random = random
  }

  /** Waits for a turn to call the chain. */
  turn(process?: number): Promise<void> {
    return new Promise((go) => this.#waiting.push({ go, needsConnection: false, process }))
  }

  /** Waits until the one connection is free, then for a turn to take it. */
  async connect(process?: number): Promise<void> {
    await new Promise<void>((go) => this.#waiting.push({ go, needsConnection: true, process }))
  }

  /** The turns of one process, which can hang. */
  turnsOf(process: number): Turns {
    return {
      turn: () => this.turn(process),
      connect: () => this.connect(process),
      disconnect: () => this.disconnect(),
      during: (work) => this.during(work),
    }
  }

  /** Holds a process wherever it waits for a turn, until `work` of others is done. */
  async whileHung<T>(process: number, work: () => Promise<T>): Promise<T> {
    this.#hung = process
    try {
      return await work()
    } finally {
      this.#hung = undefined
    }
  }

  disconnect(): void {
    this.#connected = false
  }

  /** Runs work of unpredictable duration, such as a statement. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
      if (this.#busy === 0) this.#idle?.()
    }
  }

  /** Runs pieces of work concurrently to their ends; returns their results in the given order. */
  async run<T>(works: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
    let open = works.length
    const results = works.map(async (work) => {
      try {
        return await work()
      } finally {
        open -= 1
      }
    })
    const all = Promise.allSettled(results)
    let turns = 0
    while (open > 0) {
      await this.#quiet()
      const ready = this.#waiting.filter((waiting) => this.#canGo(waiting))
      if (ready.length > 0) this.#release(this.#random.pick(ready))
      // Nothing waits or runs: something sleeps, as after a deadlock. It wakes on its own.
      else if (open > 0) await new Promise((resolve) => setTimeout(resolve, 1))
      turns += 1
      if (turns > 100_000) throw new Error('the service does not finish')
    }
    return all
  }

  #canGo({ needsConnection, process }: Waiting): boolean {
    if (process !== undefined && process === this.#hung) return false
    return !(needsConnection && this.#connected)
  }

  #release(next: Waiting): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next)
    if (next.needsConnection) this.#connected = true
    next.go()
  }

  /** Waits until all work that can continue without a turn has done so. */
  async #quiet(): Promise<void> {
    for (;;) {
      await new Promise(setImmediate)
      if (this.#busy === 0) return
      await new Promise<void>((resolve) => {
        this.#idle = resolve
      })
      this.#idle = undefined
    }
  }
}
