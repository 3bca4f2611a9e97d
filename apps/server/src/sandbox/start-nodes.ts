import type { EvmChain, EvmChainsOptions, SolanaChain } from '@weir/devnet'
import { type Blockchain, EVM_BLOCKCHAINS } from '../chains/index.ts'
import type { Log } from '../kernel/index.ts'

export interface NodeOptions extends Pick<EvmChainsOptions, 'dataDir' | 'heartbeatSeconds'> {
  /** Default: the EVM chains. */
  readonly blockchains?: readonly Blockchain[]
  readonly log: Log
  /** Called once for a chain whose process exits unexpectedly. */
  readonly onExit?: (blockchain: Blockchain) => void
}

export interface StartedNodes {
  readonly evm: readonly EvmChain[]
  readonly solana: readonly SolanaChain[]
  readonly stop: () => Promise<void>
}

/** Starts the processes of the embedded chains concurrently. If one fails to start, all are stopped. */
export async function startNodes(options: NodeOptions): Promise<StartedNodes> {
  const { dataDir, heartbeatSeconds, onExit, blockchains = EVM_BLOCKCHAINS } = options
  if (blockchains.length === 0) return { evm: [], solana: [], stop: async () => {} }
  const common = {
    dataDir,
    log: (line: string) => options.log.info(line),
    ...(heartbeatSeconds !== undefined && { heartbeatSeconds }),
    ...(onExit && { onExit }),
  }
  const { startEvmChains, startSolanaChain } = await loadDevnet()
  const [evm, solana] = await Promise.allSettled([
    startEvmChains({ ...common, blockchains: EVM_BLOCKCHAINS.filter((name) => blockchains.includes(name)) }),
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

/** Loads the chains' programs, which an installation for live lacks. */
async function loadDevnet(): Promise<typeof import('@weir/devnet')> {
  try {
    return await import('@weir/devnet')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'this installation has no embedded chains: set SERVICE_ENV=live, or an RPC endpoint for each of the four chains',
      { cause: error },
    )
  }
}
