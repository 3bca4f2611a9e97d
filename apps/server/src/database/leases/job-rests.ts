import { JOB_REST_MS } from '../../kernel/index.ts'

/** What a process knows of a job that it holds. */
export interface HeldJobState {
  readonly job: string
  /** It has made no progress for too long. */
  readonly isStalled: boolean
  /** It made progress under its current lease. */
  readonly hasProgressed: boolean
}

interface Rest {
  /** How often in a row the job stalled here. */
  readonly stalls: number
  readonly isStalling: boolean
  readonly untilMs: number
}

/**
 * Decides which jobs a process leaves to others: those that stalled here, until some minutes after it handed them over. A
 * process that is alone keeps them, and one that progresses again stops resting.
 */
export class JobRests {
  readonly #rests = new Map<string, Rest>()

  /** Takes what the process knows of all jobs that it holds now. Returns those that begin to rest. */
  update(now: Date, held: readonly HeldJobState[]): string[] {
    const begun: string[] = []
    for (const [job, rest] of this.#rests) {
      const state = held.find((one) => one.job === job)
      if (state?.hasProgressed && !state.isStalled) this.#rests.delete(job)
      else if (!state?.isStalled) this.#rests.set(job, { ...rest, isStalling: false })
    }
    for (const { job } of held.filter(({ isStalled }) => isStalled)) {
      const rest = this.#rests.get(job)
      if (!rest?.isStalling) begun.push(job)
      const stalls = (rest?.stalls ?? 0) + (rest?.isStalling ? 0 : 1)
      const restMs = Math.min(JOB_REST_MS.first * 2 ** (stalls - 1), JOB_REST_MS.max)
      // A rest that is still to come is as long as one that began.
      this.#rests.set(job, { stalls, isStalling: true, untilMs: now.getTime() + restMs })
    }
    return begun
  }

  /** The jobs that rest, in order. */
  at(now: Date): string[] {
    return [...this.#rests].flatMap(([job, { untilMs }]) => (untilMs > now.getTime() ? [job] : [])).sort()
  }
}
