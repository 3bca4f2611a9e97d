import {
  type EvmChain as DevnetChain,
  type SolanaChain as DevnetSolana,
  type EvmBlockchain,
  type EvmChainsOptions,
  startEvmChains,
  startSolanaChain,
} from '@weir/devnet'
import {
  type Blockchain,
  type Chain,
  createDevChain,
  createEvmChain,
  createSolanaChain,
  createSolanaDevChain,
  networkFromDeployment,
} from '../chains/index.ts'
import type { Clock, Log } from '../kernel/index.ts'
import { programErrorsOf, seedsFromDeployment, type VenueSeed } from '../venues/index.ts'
import type { SandboxChain } from './parts.ts'
import { createRunExclusive, type RunExclusive } from './run-exclusive.ts'
import { evmTreasury } from './treasury/evm-treasury.ts'
import { solanaTreasury } from './treasury/solana-treasury.ts'

export interface EmbeddedChainsOptions extends Pick<EvmChainsOptions, 'dataDir' | 'heartbeatSeconds'> {
  /** Default: the EVM chains. */
  readonly blockchains?: readonly Blockchain[]
  readonly clock: Clock
  readonly log: Log
  /** Whether a wallet is registered. Inclusion faults affect registered wallets only (contract 13). */
  readonly isRegistered: (blockchain: string, address: string) => Promise<boolean>
  /** Called for each HTTP request of the service to a chain. */
  readonly onRequest?: (endpoint: string) => void
  /** Called once for a chain whose process exits unexpectedly. */
  readonly onExit?: (blockchain: Blockchain) => void
}

/** The embedded chains of a running sandbox, as the service and the sandbox see them. */
export interface EmbeddedChains {
  /** For the service: the Chain port, with faults. */
  readonly chains: ReadonlyMap<Blockchain, Chain>
  /** For the sandbox: faults, clock, proxy, treasury. */
  readonly sandbox: ReadonlyMap<string, SandboxChain>
  /** For `advanceTime`. */
  readonly runExclusive: RunExclusive
  /** The contracts and programs deployed on them, for the catalogue. */
  readonly seeds: readonly VenueSeed[]
  /** Saves and stops the chains. A second call waits for the first. */
  stop(): Promise<void>
}

interface ChainSides {
  readonly chain: Chain
  readonly sandbox: SandboxChain
}

const EVM: readonly EvmBlockchain[] = ['ethereum', 'polygon', 'base']

/** Starts the embedded chains and everything around them. If one fails to start, all are stopped. */
export async function startEmbeddedChains(options: EmbeddedChainsOptions): Promise<EmbeddedChains> {
  const started = await startNodes(options)
  const sides = [
    ...started.evm.map((chain) => evmSides(chain, options)),
    ...started.solana.map((chain) => solanaSides(chain, options)),
  ]
  const deployments = [...started.evm, ...started.solana].map(({ deployment }) => deployment)
  return {
    chains: new Map(sides.map(({ chain }) => [chain.network.blockchain, chain])),
    sandbox: new Map(sides.map(({ sandbox }) => [sandbox.network.blockchain, sandbox])),
    runExclusive: createRunExclusive(),
    seeds: deployments.flatMap((deployment) => seedsFromDeployment(deployment)),
    async stop() {
      await Promise.all(sides.map(({ sandbox }) => sandbox.dev.close()))
      await started.stop()
    },
  }
}

/** Starts the chains' processes concurrently. */
async function startNodes(options: EmbeddedChainsOptions) {
  const { dataDir, heartbeatSeconds, onExit, blockchains = EVM } = options
  const common = {
    dataDir,
    log: (line: string) => options.log.info(line),
    ...(heartbeatSeconds !== undefined && { heartbeatSeconds }),
    ...(onExit && { onExit }),
  }
  const [evm, solana] = await Promise.allSettled([
    startEvmChains({ ...common, blockchains: EVM.filter((name) => blockchains.includes(name)) }),
    blockchains.includes('solana') ? startSolanaChain(common) : undefined,
  ])
  const stop = async () => {
    const running = [evm, solana].flatMap((start) => (start.status === 'fulfilled' && start.value ? [start.value] : []))
    await Promise.all(running.map((one) => one.stop()))
  }
  if (evm.status === 'rejected' || solana.status === 'rejected') {
    await stop()
    throw evm.status === 'rejected' ? evm.reason : (solana as PromiseRejectedResult).reason
  }
  return { evm: evm.value.chains, solana: solana.value ? [solana.value] : [], stop }
}

function evmSides(devnet: DevnetChain, options: EmbeddedChainsOptions): ChainSides {
  const { clock, log, isRegistered, onRequest } = options
  const { blockchain, deployment, url } = devnet
  const network = networkFromDeployment(deployment)
  const heartbeat = { pause: devnet.pauseHeartbeat, resume: devnet.resumeHeartbeat }
  const dev = createDevChain({ url, isRegistered: (address) => isRegistered(blockchain, address), log, heartbeat })
  const same = { network, rpcUrls: [url], log, clock }
  const { address, privateKey: key } = deployment.treasury
  const faultFree = createEvmChain({ ...same, fault: dev.withoutFaults })
  return {
    chain: createEvmChain({ ...same, fault: dev.fault, ...(onRequest && { onRequest }) }),
    sandbox: {
      network,
      genesisHash: deployment.genesisHash,
      treasury: evmTreasury(faultFree, { key, address }),
      faultFree,
      dev,
      heartbeat,
      venueStates: devnet,
    },
  }
}

function solanaSides(devnet: DevnetSolana, options: EmbeddedChainsOptions): ChainSides {
  const { clock, log, isRegistered, onRequest } = options
  const { deployment } = devnet
  const network = networkFromDeployment(deployment)
  const dev = createSolanaDevChain({
    controls: devnet,
    isRegistered: (address) => isRegistered('solana', address),
    log,
  })
  const same = { network, rpcUrls: [devnet.url], log, clock, programErrors: programErrorsOf(deployment) }
  const faultFree = createSolanaChain({ ...same, fault: dev.withoutFaults })
  return {
    chain: createSolanaChain({ ...same, fault: dev.fault, ...(onRequest && { onRequest }) }),
    sandbox: {
      network,
      genesisHash: deployment.genesisHash,
      treasury: solanaTreasury(faultFree, deployment.treasury),
      faultFree,
      dev,
      // Pauses automatic blocks. Only a resume without a pause is rejected, and none happens here.
      heartbeat: { pause: devnet.pauseBlocks, resume: () => void devnet.resumeBlocks() },
      venueStates: devnet,
    },
  }
}
