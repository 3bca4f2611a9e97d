import { type EvmChain as DevnetChain, type EvmChainsOptions, startEvmChains } from '@weir/devnet'
import { type Blockchain, createDevChain, createEvmChain, type EvmChain, networkOf } from '../chains/index.ts'
import type { Clock, Log } from '../kernel/index.ts'
import { seedsOf, type VenueSeed } from '../venues/index.ts'
import { type OneAtATime, oneAtATime } from './one-at-a-time.ts'
import type { SandboxChain } from './parts.ts'

export interface EmbeddedChainsOptions
  extends Pick<EvmChainsOptions, 'dataDir' | 'blockchains' | 'heartbeatSeconds' | 'onExit'> {
  readonly clock: Clock
  readonly log: Log
  /** Whether a wallet is registered: faults at inclusion strike no other (decisions 13). */
  readonly isRegistered: (blockchain: string, address: string) => Promise<boolean>
  /** Told of each HTTP request of the service to a chain. */
  readonly onRequest?: (endpoint: string) => void
}

/** The embedded chains of a running sandbox, each from both of its sides. */
export interface EmbeddedChains {
  /** As the service uses them: the Chain port, through the faults. */
  readonly chains: ReadonlyMap<Blockchain, EvmChain>
  /** As the sandbox handles them: faults, clock, proxy, treasury. */
  readonly sandbox: ReadonlyMap<string, SandboxChain>
  /** For `advanceTime`. */
  readonly alone: OneAtATime
  /** What stands on them, for the catalogue. */
  readonly seeds: readonly VenueSeed[]
  /** Saves the chains and ends them; a second call waits for the first. */
  stop(): Promise<void>
}

/** Starts the embedded EVM chains with everything around them. If one does not start, none stays behind. */
export async function startEmbeddedChains(options: EmbeddedChainsOptions): Promise<EmbeddedChains> {
  const { clock, log, isRegistered, onRequest, ...devnet } = options
  const started = await startEvmChains({ ...devnet, log: (line) => log.info(line) })
  const sides = started.chains.map((chain) =>
    sidesOf(chain, { clock, log, isRegistered, ...(onRequest && { onRequest }) }),
  )
  return {
    chains: new Map(sides.map(({ chain }) => [chain.network.blockchain, chain])),
    sandbox: new Map(sides.map(({ sandbox }) => [sandbox.network.blockchain, sandbox])),
    alone: oneAtATime(),
    seeds: started.chains.flatMap(({ deployment }) => seedsOf(deployment)),
    async stop() {
      await Promise.all(sides.map(({ sandbox }) => sandbox.dev.close()))
      await started.stop()
    },
  }
}

type SideOptions = Pick<EmbeddedChainsOptions, 'clock' | 'log' | 'isRegistered' | 'onRequest'>

function sidesOf(devnet: DevnetChain, options: SideOptions): { chain: EvmChain; sandbox: SandboxChain } {
  const { clock, log, isRegistered, onRequest } = options
  const { blockchain, deployment, url } = devnet
  const network = networkOf(deployment)
  const heartbeat = { pause: devnet.pauseHeartbeat, resume: devnet.resumeHeartbeat }
  const dev = createDevChain({ url, isRegistered: (address) => isRegistered(blockchain, address), log, heartbeat })
  const same = { network, rpcUrls: [url], log, clock }
  const { address, privateKey: key } = deployment.treasury
  return {
    chain: createEvmChain({ ...same, fault: dev.fault, ...(onRequest && { onRequest }) }),
    sandbox: {
      network,
      genesisHash: deployment.genesisHash,
      treasury: { key, address },
      unstruck: createEvmChain({ ...same, fault: dev.unstruck }),
      dev,
      heartbeat,
    },
  }
}
