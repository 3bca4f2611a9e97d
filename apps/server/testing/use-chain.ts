import { afterAll, beforeAll } from 'vitest'
import { type MainJob, startMainJob, startTestChain, type TestChain } from './main-job.ts'

export interface ChainInUse {
  readonly dev: TestChain
  readonly job: MainJob
}

/** One chain and one set of books for a test file. */
export function useChain(options: { confirmations?: number } = {}): ChainInUse {
  const use: { dev?: TestChain; job?: MainJob } = {}
  beforeAll(async () => {
    use.dev = await startTestChain()
    use.job = await startMainJob(use.dev, options)
  })
  afterAll(async () => {
    await use.job?.close()
    await use.dev?.stop()
  })
  return {
    get dev() {
      return use.dev!
    },
    get job() {
      return use.job!
    },
  }
}
