import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@weir/devnet/free-port'
import { programFile } from '../testing/processes/program-file.ts'
import { until } from '../testing/until.ts'
import { defineMember, type Member } from './processes.ts'

const MAIN = new URL('../src/main.ts', import.meta.url)
const CHAINS = fileURLToPath(new URL('../src/main/chains.ts', import.meta.url))
const SECRET = 'the-processes-of-a-rehearsal-share-it'

/** A process of Weir and its address. */
export type WeirMember = Member & { readonly url: string }

/** The processes of a deployment of Weir, on shared embedded chains. */
export interface WeirCluster {
  readonly chains: Member
  /** Where the chains are: CHAINS_FILE. */
  readonly chainsFile: string
  readonly apis: readonly WeirMember[]
  readonly workers: readonly WeirMember[]
  readonly settings: Readonly<Record<string, string>>
  readonly credentials: { readonly email: string; readonly password: string; readonly profileApiKey: string }
  waitUntilReady(limitMs?: number): Promise<void>
  stop(): Promise<void>
}

interface WeirClusterOptions {
  readonly root: string
  readonly databaseUrl: string
  readonly apis: number
  readonly workers: number
  /** A process of Weir ended though nobody ended it. */
  readonly onUnexpectedEnd: (what: string) => void
}

export async function startWeirCluster({
  root,
  databaseUrl,
  onUnexpectedEnd,
  ...counts
}: WeirClusterOptions): Promise<WeirCluster> {
  const logs = join(root, 'logs')
  const [dataDir, chainsDir] = [join(root, 'weir'), join(root, 'chains')]
  for (const folder of [logs, dataDir, chainsDir]) mkdirSync(folder, { recursive: true })
  const chainsFile = join(chainsDir, 'chains.json')
  const common = { LOG_LEVEL: 'info', LOG_FORMAT: 'json', HOST: '127.0.0.1' }
  const settings = {
    ...common,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CHAINS_FILE: chainsFile,
    JWT_SECRET: SECRET,
    API_KEY_PEPPER: SECRET,
    ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    RATE_LIMIT_MULTIPLIER: '10000',
  }
  const [chainsPort, ...ports] = await Promise.all(
    Array.from({ length: 1 + counts.apis + counts.workers }, () => freePort()),
  )
  const chains = defineMember({
    name: 'chains',
    program: process.execPath,
    args: [CHAINS],
    env: { ...common, DATA_DIR: chainsDir, CHAINS_PORT: String(chainsPort) },
    logs,
    // The nodes that it starts work where it does.
    folder: chainsDir,
    cwd: chainsDir,
  })
  const service = (role: 'api' | 'worker', number: number): WeirMember => {
    const port = ports.pop()!
    const member = defineMember({
      name: `${role}${number}`,
      program: process.execPath,
      args: ['--max-semi-space-size=8', programFile('service', MAIN)],
      env: { ...settings, ROLE: role, PORT: String(port) },
      logs,
      onUnexpectedEnd,
    })
    return Object.assign(member, { url: `http://127.0.0.1:${port}` })
  }
  const apis = Array.from({ length: counts.apis }, (_, index) => service('api', index + 1))
  const workers = Array.from({ length: counts.workers }, (_, index) => service('worker', index + 1))
  const all = [...apis, ...workers]
  const stop = async () => {
    await Promise.all(all.map((member) => member.end()))
    await stopChains(chains)
  }
  const waitUntilReady = async (limitMs = 90_000) => {
    await Promise.all(all.map((member) => until(() => isReady(member), limitMs)))
  }
  try {
    chains.start()
    await until(() => JSON.parse(readFileSync(chainsFile, 'utf8')), 60_000)
    for (const member of all) member.start()
    await waitUntilReady()
    const credentials = JSON.parse(readFileSync(join(dataDir, 'sandbox-credentials.json'), 'utf8'))
    return { chains, chainsFile, apis, workers, settings, credentials, waitUntilReady, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** They save their state; their nodes must not get the signal, too. */
export async function stopChains(chains: Member): Promise<void> {
  chains.signal('SIGCONT')
  chains.signalAlone('SIGTERM')
  await until(() => !chains.isRunning(), 60_000)
}

async function isReady({ url }: WeirMember): Promise<boolean> {
  const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(3_000) })
  return response.status === 200
}
