import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Blockchain } from '../../src/chains/index.ts'
import { silentLog, systemClock } from '../../src/kernel/index.ts'
import {
  type EmbeddedChains,
  type EmbeddedChainsOptions,
  type SandboxParts,
  startEmbeddedChains,
} from '../../src/sandbox/index.ts'
import { type TestDatabase, testDatabase } from '../index.ts'

/** For tests: embedded chains in their own folder that mine only on demand, and a database. */
export interface TestSandbox {
  readonly parts: SandboxParts
  readonly embedded: EmbeddedChains
  readonly database: TestDatabase
  /** Addresses that faults may affect. */
  readonly registered: Set<string>
  /** Calls a node directly, without its decorators. */
  askNode<T>(blockchain: Blockchain, method: string, ...params: unknown[]): Promise<T>
  /** The node's own URL, for another process. */
  nodeUrl(blockchain: Blockchain): Promise<string>
  /** Blocks that something waited for, such as `polygon 17`. */
  readonly waitedFor: string[]
  close(): Promise<void>
}

export async function startTestSandbox(blockchains?: EmbeddedChainsOptions['blockchains']): Promise<TestSandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'weir-sandbox-'))
  const database = await testDatabase()
  const registered = new Set<string>()
  let asked = ''
  const embedded = await startEmbeddedChains({
    dataDir,
    clock: systemClock,
    log: silentLog,
    heartbeatSeconds: 0,
    isRegistered: async (_blockchain, address) => registered.has(address),
    onRequest: (endpoint) => {
      asked = endpoint
    },
    ...(blockchains && { blockchains }),
  })
  const waitedFor: string[] = []
  const { sandbox, runExclusive } = embedded
  const nodeUrl = async (blockchain: Blockchain) => {
    await embedded.chains.get(blockchain)?.heads()
    return `http://${asked}`
  }
  const waitUntilRecorded = async (blockchain: string, number: number) => void waitedFor.push(`${blockchain} ${number}`)
  return {
    parts: { db: database.db, clock: systemClock, log: silentLog, sandbox, runExclusive, waitUntilRecorded },
    embedded,
    database,
    registered,
    nodeUrl,
    async askNode<T>(blockchain: Blockchain, method: string, ...params: unknown[]) {
      const response = await fetch(await nodeUrl(blockchain), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      return ((await response.json()) as { result: T }).result
    },
    waitedFor,
    async close() {
      await embedded.stop()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
