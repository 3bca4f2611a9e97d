import type { Data, Profile } from './api-types.ts'
import { withKey } from './client.ts'
import { registerOrganization } from './register-organization.ts'
import { type System, startSystem } from './start-system.ts'

const FAULTS = ['rpc_down', 'drop_next', 'revert_next', 'delay_next', 'simulation_fails'] as const
const CHAINS = ['ethereum', 'polygon', 'base', 'solana'] as const

let shared: Promise<System> | undefined

/**
 * The service that the files of one test worker use one after another: a start costs seconds of the processor. Each file
 * gets an organization of its own and chains without faults; clocks are as earlier files left them. `stop` leaves the
 * service running; it ends with the worker. A file that restarts the service, reads its folder or changes strategies
 * starts its own by {@link startSystem}.
 */
export async function sharedSystem(): Promise<System> {
  shared ??= startSystem()
  const running = await shared
  void running.process.ended.then(() => {
    shared = undefined
  })
  const { email, password, owner, key } = await registerOrganization(running)
  const profiles = await owner.get<Data<Profile[]>>('/api/core/wallet-profiles')
  const { id: walletProfileId } = profiles.body.data.find(({ name }) => name === 'default')!
  const credentials = {
    baseUrl: running.process.url,
    email,
    password,
    organizationApiKey: (await key()).apiKey,
    profileApiKey: (await key({ walletProfileId })).apiKey,
    adminApiKey: (await key({ isAdmin: true })).apiKey,
  }
  const { as, networks, strategies, strategy, restart } = running
  const system: System = {
    dataDir: running.dataDir,
    credentials,
    process: running.process,
    profile: as(withKey(credentials.profileApiKey)),
    organization: as(withKey(credentials.organizationApiKey)),
    admin: as(withKey(credentials.adminApiKey)),
    as,
    networks,
    strategies,
    strategy,
    restart,
    stop: () => Promise.resolve(),
  }
  for (const blockchain of CHAINS) {
    for (const fault of FAULTS) await system.profile.post('/v1/sandbox/chain-faults', { blockchain, fault, count: 0 })
  }
  return system
}
