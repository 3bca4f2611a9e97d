import type { Data, Profile } from '../clients/api-types.ts'
import { withKey } from '../clients/client.ts'
import { registerOrganization } from '../clients/register-organization.ts'
import { type System, startSystem } from './start-system.ts'

const FAULTS = ['rpc_down', 'drop_next', 'revert_next', 'delay_next', 'simulation_fails'] as const
const CHAINS = ['ethereum', 'polygon', 'base', 'solana'] as const

/** An idle service follows its chains, which costs a tenth of a processor: it ends unless another file soon needs it. */
const IDLE_MS = 20_000

let shared: Promise<System> | undefined
let idle: NodeJS.Timeout | undefined

/**
 * The service that the files of one test worker use one after another: a start costs seconds of the processor. Each file
 * gets an organization of its own and chains without faults; clocks are as earlier files left them. `stop` leaves the
 * service running for the next file; it ends when none comes. A file that restarts the service, reads its folder or changes strategies
 * starts its own by {@link startSystem}.
 */
export async function sharedSystem(): Promise<System> {
  clearTimeout(idle)
  shared ??= startSystem()
  const starting = shared
  // The next file starts another one.
  starting.catch(() => forget(starting))
  const running = await starting
  void running.process.ended.then(() => forget(starting))
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
    async stop() {
      idle = setTimeout(() => {
        forget(starting)
        // No test is left that this could fail.
        running.stop().catch((error) => process.stderr.write(`the shared service did not end cleanly: ${error}\n`))
      }, IDLE_MS).unref()
    },
  }
  for (const blockchain of CHAINS) {
    for (const fault of FAULTS) await system.profile.post('/v1/sandbox/chain-faults', { blockchain, fault, count: 0 })
  }
  return system
}

function forget(system: Promise<System>): void {
  if (shared === system) shared = undefined
}
