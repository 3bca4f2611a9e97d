/** The process dies here. Nothing in the service may catch it: every later point of that process throws it again. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** Counts down to the point at which a process dies; `undefined`: it stays alive. */
export class CrashSchedule {
  #left: number | undefined
  #met: string | undefined

  /** Makes the process die at the n-th point from here. */
  crashAfter(points: number): void {
    this.#left = points
  }

  cancel(): void {
    this.#left = undefined
  }

  /** Where it died. */
  get crashedAt(): string | undefined {
    return this.#met
  }

  /** A labelled point: before and after each commit, statement and request. */
  point(label: string): void {
    if (this.#met !== undefined) throw new Crash(`ended at ${this.#met}`)
    if (this.#left === undefined) return
    this.#left -= 1
    if (this.#left > 0) return
    this.#met = label
    throw new Crash(`ended at ${label}`)
  }
}
