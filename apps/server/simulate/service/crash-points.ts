/** The process ends here. Nothing in the service may catch it and go on: every later point of that process throws it again. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** The points at which a process can end, counted down; `undefined` means that it lives. */
export class CrashSchedule {
  #left: number | undefined
  #met: string | undefined

  /** The process ends at the n-th point from here. */
  crashAfter(points: number): void {
    this.#left = points
  }

  cancel(): void {
    this.#left = undefined
  }

  /** Where it ended. */
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
