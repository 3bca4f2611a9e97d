import { afterAll, beforeAll } from 'vitest'
import { type EngineFixture, startEngineFixture, startTestChain, type TestChain } from './engine-fixture.ts'

export interface ChainInUse {
  readonly dev: TestChain
  readonly job: EngineFixture
}

/** One chain and one set of books for a test file. */
export function useChain(options: { confirmations?: number } = {}): ChainInUse {
  const use: { dev?: TestChain; job?: EngineFixture } = {}
  beforeAll(async () => {
    use.dev = await startTestChain()
    use.job = await startEngineFixture(use.dev, options)
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
