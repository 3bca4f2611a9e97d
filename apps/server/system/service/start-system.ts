import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Network, Strategy, Venue, VenueList } from '../clients/api-types.ts'
import { createClient, type HttpClient, type Identity, withKey } from '../clients/client.ts'
import { type Contract, createContract } from '../money/contract.ts'
import { createDataDir, type Environment, type ServiceProcess, startProcess } from '../processes/service-process.ts'
import { copyPreparedFolder } from './prepared-folder.ts'

/** The credentials that the sandbox writes for its user (contract 2). */
export interface Credentials {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  readonly organizationApiKey: string
  readonly profileApiKey: string
  readonly adminApiKey: string
}

/**
 * The running service from outside: a separate process, folder and port. Nothing here depends on its internals; every
 * response is checked against its own `/openapi.json`.
 */
export interface System {
  readonly dataDir: string
  readonly credentials: Credentials
  readonly process: ServiceProcess
  /** Clients for the demo organization's three keys. */
  readonly profile: HttpClient
  readonly organization: HttpClient
  readonly admin: HttpClient
  as(identity: Identity): HttpClient
  networks(): Promise<readonly Network[]>
  strategies(): Promise<readonly (Strategy & Pick<Venue, 'blockchain' | 'protocol'>)[]>
  strategy(blockchain: string, name: string): Promise<Strategy>
  /** Stops the process, runs `between`, and restarts it in the same folder on a new port. */
  restart(options?: { signal?: NodeJS.Signals; between?: () => Promise<unknown> }): Promise<void>
  /** Stops the service, which must exit cleanly, and removes its folder. */
  stop(): Promise<void>
}

/** Limits have their own tests; elsewhere they would only interfere. */
const HIGH_RATE_LIMITS = { RATE_LIMIT_MULTIPLIER: '10000' }

/** `prepare` may fill the folder before the first start. */
export async function startSystem(
  settings: Environment = {},
  prepare?: (dataDir: string) => Promise<void>,
): Promise<System> {
  const folder = await createDataDir()
  const start = () => startProcess({ ...HIGH_RATE_LIMITS, ...settings, DATA_DIR: folder.path })
  let process: ServiceProcess
  let contract: Contract
  let credentials: Credentials

  async function begin(): Promise<void> {
    process = await start()
    contract = createContract((await (await fetch(`${process.url}/openapi.json`)).json()) as Contract['document'])
    credentials = JSON.parse(await readFile(join(folder.path, 'sandbox-credentials.json'), 'utf8')) as Credentials
  }
  try {
    await (prepare ?? ((path) => copyPreparedFolder(path, settings)))(folder.path)
    await begin()
  } catch (error) {
    await folder.remove()
    throw error
  }

  const as = (identity: Identity) =>
    createClient(
      () => process.url,
      () => contract,
      identity,
    )
  const profile = as(withKey(credentials!.profileApiKey))

  const system: System = {
    dataDir: folder.path,
    get credentials() {
      return credentials
    },
    get process() {
      return process
    },
    profile,
    organization: as(withKey(credentials!.organizationApiKey)),
    admin: as(withKey(credentials!.adminApiKey)),
    as,
    async networks() {
      return (await profile.get<Network[]>('/v1/sandbox/networks')).body
    },
    async strategies() {
      const { venues } = (await profile.get<VenueList>('/v1/venues')).body
      return venues.flatMap(({ blockchain, protocol, strategies }) =>
        strategies.map((strategy) => ({ ...strategy, blockchain, protocol })),
      )
    },
    async strategy(blockchain, name) {
      const all = await system.strategies()
      const found = all.find((strategy) => strategy.blockchain === blockchain && strategy.name === name)
      if (!found) throw new Error(`no strategy ${name} on ${blockchain}: ${all.map((one) => one.name).join(', ')}`)
      return found
    },
    async restart({ signal = 'SIGTERM', between } = {}) {
      await process.end(signal)
      await between?.()
      await begin()
    },
    async stop() {
      const code = await process.end()
      await folder.remove()
      if (code !== 0) throw new Error(`the service ended with ${code}: ${process.errors()}`)
    },
  }
  return system
}
