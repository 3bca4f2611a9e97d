import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../server/testing/until.ts'
import { type Agent, startAgent } from '../src/agent.ts'
import { readConfig } from '../src/config.ts'
import { type HostileNode, startHostileNode } from './hostile-node.ts'
import { type HostileService, POLL_WAIT_MS, startHostileService, type Work } from './hostile-service.ts'

/** What the agent did with one piece of work. */
export interface Outcome {
  /** The status that it reported; undefined: it reported nothing. */
  readonly status: string | undefined
  readonly error: string | undefined
}

/** An agent whose service and endpoints an attacker holds. */
export interface HostileWorld {
  readonly service: HostileService
  readonly node: HostileNode
  readonly settings: Readonly<Record<string, string>>
  agent: Agent
  /** Has the service issue this; resolves when the agent is done with it. */
  issue(...works: readonly Work[]): Promise<readonly Outcome[]>
  createWallet(blockchain: string, challenge?: string): Promise<Readonly<Record<string, string>>>
  /** Stops the agent, runs `between`, and starts it again on the same journal. */
  restart(between?: () => unknown): Promise<void>
  end(): Promise<void>
}

const DONE = new Set(['failed', 'reported', 'held', 'report-refused', 'left'])

/** The secret of the signers of hostile worlds. */
export const SIGNER_SECRET = 'a secret of more than thirty-two characters'

/** `settings` may name files by their content. Worlds may share a signer; key files would cost a second for each start. */
export async function startHostileWorld(
  signerUrl: string,
  given: Readonly<Record<string, string | object>> = {},
): Promise<HostileWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-hostile-'))
  const [service, node] = await Promise.all([startHostileService(), startHostileNode()])
  const written = await Promise.all(
    Object.entries(given).map(async ([name, value]) => {
      if (typeof value === 'string') return [name, value]
      const path = join(folder, `${name}-${randomUUID()}.json`)
      await writeFile(path, JSON.stringify(value))
      return [name, path]
    }),
  )
  const settings = {
    WEIR_URL: service.url,
    WEIR_API_KEY: 'svc_hostile',
    AGENT_DIR: join(folder, 'agent'),
    SIGNER: 'http',
    SIGNER_URL: signerUrl,
    SIGNER_SECRET,
    POLYGON_RPC_URL: node.url,
    SOLANA_RPC_URL: node.url,
    POLL_WAIT_MS: String(POLL_WAIT_MS),
    RESEND_MS: '600000',
    AGENT_PORT: '0',
    LOG_LEVEL: 'silent',
    ...Object.fromEntries(written),
  }
  let done = 0
  const start = () =>
    startAgent(readConfig(settings), (step) => {
      if (DONE.has(step)) done += 1
    })
  const reportOf = ({ id }: Work, from: number): Outcome => {
    const found = service.reports.slice(from).find(({ path }) => path === `/api/agent/transactions/${id}/report`)
    const { status, error } = (found?.body ?? {}) as { status?: string; error?: string }
    return { status, error }
  }
  const world: HostileWorld = {
    service,
    node,
    settings,
    agent: await start(),
    async issue(...works) {
      const [before, from] = [done, service.reports.length]
      service.transactions.push(...works)
      await until(() => done >= before + works.length)
      return works.map((work) => reportOf(work, from))
    },
    async createWallet(blockchain, challenge) {
      const id = 1 + service.reports.length
      service.actions.push({
        id,
        type: 'CREATE_WALLET',
        payload: { blockchain, label: 'Treasury' },
        leaseExpiresAt: '2030-01-01T00:00:00Z',
        ...(challenge !== undefined && { challenge: challenge.replace('ACTION', String(id)) }),
      })
      const report = await until(() => service.reports.find(({ path }) => path === `/api/agent/actions/${id}/report`))
      return report.body.result as Readonly<Record<string, string>>
    },
    async restart(between) {
      world.agent.stop()
      await world.agent.ended
      await between?.()
      world.agent = await start()
    },
    async end() {
      world.agent.stop()
      await world.agent.ended.catch(() => {})
      await Promise.all([service.close(), node.close(), rm(folder, { recursive: true, force: true })])
    },
  }
  return world
}
