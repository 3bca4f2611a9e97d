import type { Random } from '../random.ts'

/** Where work of the service waits for its turn: before it asks the chain, or takes the database connection. */
interface Waiting {
  readonly go: () => void
  readonly needsConnection: boolean
}

/**
 * Decides what runs next wherever requests could overtake each other, by the seed alone. Work is released one piece at
 * a time, and only when nothing moves any more; so the same seed gives the same interleaving, however fast the database
 * answers.
 */
export class Schedule {
  readonly #random: Random
  #waiting: Waiting[] = []
  #busy = 0
  #connected = false
  #idle: (() => void) | undefined

  constructor(random: Random) {
    this.#random = random
  }

  /** Waits for the turn to ask the chain. */
  turn(): Promise<void> {
    return new Promise((go) => this.#waiting.push({ go, needsConnection: false }))
  }

  /** Waits until the one connection is free, and for the turn to take it. */
  async connect(): Promise<void> {
    await new Promise<void>((go) => this.#waiting.push({ go, needsConnection: true }))
  }

  disconnect(): void {
    this.#connected = false
  }

  /** Something that the machine does in its own time, such as a statement. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
      if (this.#busy === 0) this.#idle?.()
    }
  }

  /** Runs pieces of work side by side to their ends; what each of them came to, in the order given. */
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
      const ready = this.#waiting.filter(({ needsConnection }) => !(needsConnection && this.#connected))
      if (ready.length > 0) this.#release(this.#random.pick(ready))
      // Nothing waits and nothing runs: something sleeps, as after a deadlock. It wakes by itself.
      else if (open > 0) await new Promise((resolve) => setTimeout(resolve, 1))
      turns += 1
      if (turns > 100_000) throw new Error('the service does not come to an end')
    }
    return all
  }

  #release(next: Waiting): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next)
    if (next.needsConnection) this.#connected = true
    next.go()
  }

  /** Until everything that can go on without us has done so. */
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
