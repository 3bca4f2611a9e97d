/** Time is an argument: a test runs through a year in a second. */
export interface Clock {
  now(): Date
}

/** The machine's clock. Only `main` and test harnesses use it. */
export const systemClock: Clock = { now: () => new Date() }

/** A clock that moves only when advanced; for tests and the simulation. */
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

/**
 * Whether so many milliseconds have passed since a time; true without one. Also when the clock was set back since then:
 * what is due would wait until the clock has caught up.
 */
export function havePassed(milliseconds: number, since: Date | undefined, now: Date): boolean {
  return since === undefined || now < since || now.getTime() - since.getTime() >= milliseconds
}

/** How many seconds passed from one time to another, rounded: for people and logs. */
export function secondsBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / 1_000)
}

/** The UTC day of a time: `2026-12-01`. */
export function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}
