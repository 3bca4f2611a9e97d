import type { EvmDeployment, SolanaDeployment } from '@weir/devnet'
import {
  type Blockchain,
  type Chain,
  createEvmChain,
  createSolanaChain,
  networkFromDeployment,
  type RpcObserver,
} from '../chains/index.ts'
import type { Clock, Log } from '../kernel/index.ts'
import { programErrorsOf, seedsFromDeployment, type VenueSeed } from '../venues/index.ts'
import type { ControlledNode } from './control-node.ts'
import type { SandboxChain } from './parts.ts'
import type { RunExclusive } from './run-exclusive.ts'
import { evmTreasury } from './treasury/evm-treasury.ts'
import { solanaTreasury } from './treasury/solana-treasury.ts'

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
  /** Saves and stops the chains that this process runs. A second call waits for the first. */
  stop(): Promise<void>
}

export interface AssemblyParts {
  readonly clock: Clock
  readonly log: Log
  /** Called for each HTTP request of the service to a chain. */
  readonly onRequest?: (endpoint: string) => void
  readonly observer?: RpcObserver | undefined
}

interface ChainSides {
  readonly chain: Chain
  readonly sandbox: SandboxChain
}

/** Builds what the service and the sandbox use from the controlled chains. */
export function assembleChains(
  nodes: readonly ControlledNode[],
  parts: AssemblyParts & { readonly runExclusive: RunExclusive; readonly stop: () => Promise<void> },
): EmbeddedChains {
  const sides = nodes.map((node) => sidesOf(node, parts))
  return {
    chains: new Map(sides.map(({ chain }) => [chain.network.blockchain, chain])),
    sandbox: new Map(sides.map(({ sandbox }) => [sandbox.network.blockchain, sandbox])),
    runExclusive: parts.runExclusive,
    seeds: nodes.flatMap(({ deployment }) => seedsFromDeployment(deployment)),
    async stop() {
      await Promise.all(nodes.map(({ dev }) => dev.close()))
      await parts.stop()
    },
  }
}

function sidesOf(node: ControlledNode, parts: AssemblyParts): ChainSides {
  const { deployment } = node
  return deployment.blockchain === 'solana' ? solanaSides(node, deployment, parts) : evmSides(node, deployment, parts)
}

function evmSides(node: ControlledNode, deployment: EvmDeployment, parts: AssemblyParts): ChainSides {
  const { dev, heartbeat, venueStates, rpcUrl } = node
  const { clock, log, observer, onRequest } = parts
  const network = networkFromDeployment(deployment)
  const same = { network, rpcUrls: [rpcUrl], log, clock }
  const faultFree = createEvmChain({ ...same, fault: dev.withoutFaults })
  return {
    chain: createEvmChain({ ...same, fault: dev.fault, observer, ...(onRequest && { onRequest }) }),
    sandbox: {
      network,
      genesisHash: deployment.genesisHash,
      treasury: evmTreasury(faultFree, deployment.treasury),
      faultFree,
      dev,
      heartbeat,
      venueStates,
    },
  }
}

function solanaSides(node: ControlledNode, deployment: SolanaDeployment, parts: AssemblyParts): ChainSides {
  const { dev, heartbeat, venueStates, rpcUrl } = node
  const { clock, log, observer, onRequest } = parts
  const network = networkFromDeployment(deployment)
  const same = { network, rpcUrls: [rpcUrl], log, clock, programErrors: programErrorsOf(deployment) }
  const faultFree = createSolanaChain({ ...same, fault: dev.withoutFaults })
  return {
    chain: createSolanaChain({ ...same, fault: dev.fault, observer, ...(onRequest && { onRequest }) }),
    sandbox: {
      network,
      genesisHash: deployment.genesisHash,
      treasury: solanaTreasury(faultFree, deployment.treasury),
      faultFree,
      dev,
      heartbeat,
      venueStates,
    },
  }
}
