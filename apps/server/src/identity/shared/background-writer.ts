import { createOutageLog, type Log, type OutageLog } from '../../kernel/index.ts'

interface BackgroundWriterOptions {
  readonly log: Log
  /** How long after something was recorded it is written, in milliseconds. */
  readonly delayMs: number
  /** What the log says when writing begins to fail, and when it succeeds again. */
  readonly away: string
  readonly back: string
  /** Writes everything recorded so far. */
  write(): Promise<void>
}

/** Writes what requests recorded in memory, one batch at a time, so that no request waits for it or fails with it. */
export class BackgroundWriter {
  readonly #options: BackgroundWriterOptions
  readonly #outage: OutageLog
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: BackgroundWriterOptions) {
    this.#options = options
    this.#outage = createOutageLog(options.log, { away: options.away, back: options.back })
  }

  /** Something was recorded. */
  schedule(): void {
    this.#timer ??= setTimeout(() => void this.#flushInBackground(), this.#options.delayMs).unref()
  }

  /** Writes everything recorded and waits for it. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const current = this.#writing.then(() => this.#options.write())
    this.#writing = current.catch(() => undefined)
    await current
  }

  async #flushInBackground(): Promise<void> {
    try {
      await this.flush()
      this.#outage.recovered()
    } catch (error) {
      this.#outage.failed({ err: error })
    }
  }
}
