import { EVM_BLOCKCHAINS, type EvmBlockchain } from './chains.ts'
import { type EvmChain, type EvmChainOptions, startEvmChain } from './start-evm-chain.ts'

export type EvmChains = {
  /** In the order ethereum, polygon, base. */
  readonly chains: readonly EvmChain[]
  /** Stops all chains; a second call waits for the first. */
  stop(): Promise<void>
}

export type EvmChainsOptions = Omit<EvmChainOptions, 'blockchain'> & {
  /** The chains to start; default all three. */
  readonly blockchains?: readonly EvmBlockchain[]
}

/** Starts the embedded EVM chains in parallel. If one fails to start, none is left running. */
export async function startEvmChains(options: EvmChainsOptions): Promise<EvmChains> {
  const wanted = options.blockchains ?? EVM_BLOCKCHAINS
  const starts = await Promise.allSettled(
    EVM_BLOCKCHAINS.filter((blockchain) => wanted.includes(blockchain)).map((blockchain) =>
      startEvmChain({ ...options, blockchain }),
    ),
  )
  const chains = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async () => {
    await Promise.all(chains.map((chain) => chain.stop()))
  }
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  return { chains, stop }
}
