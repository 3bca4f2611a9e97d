import { afterAll, beforeAll } from 'vitest'
import { type ChainInUse, useChain } from '../operations/use-chain.ts'
import { type V1Server, v1Server } from './v1-server.ts'

export interface V1InUse extends ChainInUse {
  readonly server: V1Server
}

/** One chain, one database and the v1 surface for a test file. */
export function useV1(): V1InUse {
  const chain = useChain()
  let server: V1Server | undefined
  beforeAll(async () => {
    server = await v1Server(chain.engine.parts)
  })
  afterAll(() => server?.close())
  return {
    get dev() {
      return chain.dev
    },
    get engine() {
      return chain.engine
    },
    get server() {
      return server!
    },
  }
}

/** The expected v1 response to a refused request. */
export const refusal = (status: number, code: string) => ({ status, body: { statusCode: status, code } })
