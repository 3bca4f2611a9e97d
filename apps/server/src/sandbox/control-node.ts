import type { EvmChain, EvmDeployment, SolanaChain, SolanaDeployment } from '@weir/devnet'
import { createDevChain, createSolanaDevChain, type DevChain, type Heartbeat } from '../chains/index.ts'
import type { Log } from '../kernel/index.ts'
import type { VenueStates } from './parts.ts'
import type { StartedNodes } from './start-nodes.ts'

/** The addresses, tokens and strategies of an embedded chain. */
export type Deployment = EvmDeployment | SolanaDeployment

/** An embedded chain with its controls, in this process or in another one. */
export interface ControlledNode {
  readonly deployment: Deployment
  /** What the Chain ports send to; `dev` may carry the requests elsewhere. */
  readonly rpcUrl: string
  readonly dev: DevChain
  readonly heartbeat: Heartbeat
  readonly venueStates: VenueStates
}

interface ControlParts {
  readonly log: Log
  /** Whether a wallet is registered. Inclusion faults affect registered wallets only (contract 13). */
  readonly isRegistered: (blockchain: string, address: string) => Promise<boolean>
}

/** Adds faults, clock and proxy to the chains that this process runs. */
export function controlNodes({ evm, solana }: StartedNodes, parts: ControlParts): ControlledNode[] {
  return [
    ...evm.map((chain) => controlEvmNode(chain, parts)),
    ...solana.map((chain) => controlSolanaNode(chain, parts)),
  ]
}

function controlEvmNode(devnet: EvmChain, { log, isRegistered }: ControlParts): ControlledNode {
  const { blockchain, deployment, url } = devnet
  const heartbeat = { pause: devnet.pauseHeartbeat, resume: devnet.resumeHeartbeat }
  const dev = createDevChain({ url, isRegistered: (address) => isRegistered(blockchain, address), log, heartbeat })
  return { deployment, rpcUrl: url, dev, heartbeat, venueStates: devnet }
}

function controlSolanaNode(devnet: SolanaChain, { log, isRegistered }: ControlParts): ControlledNode {
  const dev = createSolanaDevChain({
    controls: devnet,
    isRegistered: (address) => isRegistered('solana', address),
    log,
  })
  // Pauses automatic blocks. Only a resume without a pause is rejected, and none happens here.
  const heartbeat = { pause: devnet.pauseBlocks, resume: () => void devnet.resumeBlocks() }
  return { deployment: devnet.deployment, rpcUrl: devnet.url, dev, heartbeat, venueStates: devnet }
}
