import { JOB_BACKOFF_MS } from '../../kernel/index.ts'

/** What a process knows of a job that it holds. */
export interface HeldJobState {
  readonly job: string
  /** It has made no progress for too long. */
  readonly isStalled: boolean
  /** It made progress under its current lease. */
  readonly hasProgressed: boolean
}

interface Backoff {
  /** How often in a row the job stalled here. */
  readonly stalls: number
  readonly isStalling: boolean
  readonly untilMs: number
}

/**
 * Decides which jobs a process leaves to others: those that stalled here, until some minutes after it handed them over. A
 * process that is alone keeps them, and one that progresses again stops resting.
 */
export class JobBackoff {
  readonly #backoffs = new Map<string, Backoff>()

  /** Takes what the process knows of all jobs that it holds now. Returns those that begin to rest. */
  update(now: Date, held: readonly HeldJobState[]): string[] {
    const begun: string[] = []
    for (const [job, backoff] of this.#backoffs) {
      const state = held.find((one) => one.job === job)
      if (state?.hasProgressed && !state.isStalled) this.#backoffs.delete(job)
      else if (!state?.isStalled) this.#backoffs.set(job, { ...backoff, isStalling: false })
    }
    for (const { job } of held.filter(({ isStalled }) => isStalled)) {
      const backoff = this.#backoffs.get(job)
      if (!backoff?.isStalling) begun.push(job)
      const stalls = (backoff?.stalls ?? 0) + (backoff?.isStalling ? 0 : 1)
      const backoffMs = Math.min(JOB_BACKOFF_MS.first * 2 ** (stalls - 1), JOB_BACKOFF_MS.max)
      // A rest that is still to come is as long as one that began.
      this.#backoffs.set(job, { stalls, isStalling: true, untilMs: now.getTime() + backoffMs })
    }
    return begun
  }

  /** The jobs that rest, in order. */
  at(now: Date): string[] {
    return [...this.#backoffs].flatMap(([job, { untilMs }]) => (untilMs > now.getTime() ? [job] : [])).sort()
  }
}
