import { type AssemblyParts, assembleChains, type EmbeddedChains } from './assemble-chains.ts'
import { controlNodes } from './control-node.ts'
import { createRunExclusive } from './run-exclusive.ts'
import { type NodeOptions, startNodes } from './start-nodes.ts'

export interface EmbeddedChainsOptions extends NodeOptions, AssemblyParts {
  /** Whether a wallet is registered. Inclusion faults affect registered wallets only (contract 13). */
  readonly isRegistered: (blockchain: string, address: string) => Promise<boolean>
}

/** Starts the embedded chains and everything around them. If one fails to start, all are stopped. */
export async function startEmbeddedChains(options: EmbeddedChainsOptions): Promise<EmbeddedChains> {
  const nodes = await startNodes(options)
  return assembleChains(controlNodes(nodes, options), {
    ...options,
    runExclusive: createRunExclusive(),
    stop: nodes.stop,
  })
}
