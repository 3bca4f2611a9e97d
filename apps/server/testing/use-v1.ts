import { afterAll, beforeAll } from 'vitest'
import { type MainJob, startMainJob, startTestChain, type TestChain } from './main-job.ts'
import { type V1Server, v1Server } from './v1-server.ts'

export interface V1InUse {
  readonly dev: TestChain
  readonly job: MainJob
  readonly server: V1Server
}

/** One chain, one set of books and the v1 surface over them for a test file. */
export function useV1(): V1InUse {
  const use: { dev?: TestChain; job?: MainJob; server?: V1Server } = {}
  beforeAll(async () => {
    use.dev = await startTestChain()
    use.job = await startMainJob(use.dev)
    use.server = await v1Server(use.job.parts)
  })
  afterAll(async () => {
    await use.server?.close()
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
    get server() {
      return use.server!
    },
  }
}

/** What a refused request answers with on v1. */
export const refusal = (status: number, code: string) => ({ status, body: { statusCode: status, code } })
