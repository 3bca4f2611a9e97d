/** Time is an argument: a year runs in a test in a second (house habit 5). */
export interface Clock {
  now(): Date
}

/** The machine's clock. Only `main` and tests' harnesses hold it. */
export const systemClock: Clock = { now: () => new Date() }

/** A clock that stands still until it is told to move; for tests and the simulation. */
export class ManualClock implements Clock {
  #now: number

  constructor(start: Date = new Date('2026-01-01T00:00:00Z')) {
    this.#now = start.getTime()
  }

  now(): Date {
    return new Date(this.#now)
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}

/** The instant `milliseconds` after `from`. */
export function addMilliseconds(from: Date, milliseconds: number): Date {
  return new Date(from.getTime() + milliseconds)
}
