import { afterAll, beforeAll } from 'vitest'
import { startTestChain, type TestChain } from '../chains/test-chain.ts'
import { type EngineFixture, startEngineFixture } from './engine-fixture.ts'

export interface ChainInUse {
  readonly dev: TestChain
  readonly engine: EngineFixture
}

/** One chain and one engine for a test file. */
export function useChain(options: { confirmations?: number } = {}): ChainInUse {
  const use: { dev?: TestChain; engine?: EngineFixture } = {}
  beforeAll(async () => {
    use.dev = await startTestChain()
    use.engine = await startEngineFixture(use.dev, options)
  })
  afterAll(async () => {
    await use.engine?.close()
    await use.dev?.stop()
  })
  return {
    get dev() {
      return use.dev!
    },
    get engine() {
      return use.engine!
    },
  }
}
