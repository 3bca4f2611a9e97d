import { BLOCKCHAINS, type Blockchain, type Chain, createEvmChain, LIVE_EVM_NETWORKS } from '../chains/index.ts'
import type { Config } from '../config.ts'
import type { Clock, Log } from '../kernel/index.ts'
import { type EmbeddedChains, startEmbeddedChains } from '../sandbox/index.ts'

export interface StartedChains {
  readonly chains: ReadonlyMap<Blockchain, Chain>
  /** Those behind RPC endpoints: public chains, or whatever the operator put there in their place. */
  readonly remote: readonly Blockchain[]
  /** In sandbox: the chains that no RPC endpoint is set for, as the sandbox handles them. */
  readonly embedded: EmbeddedChains | undefined
}

interface Parts {
  readonly clock: Clock
  readonly log: Log
  readonly isRegistered: (blockchain: string, address: string) => Promise<boolean>
  readonly onExit: (line: string) => void
}

const EVM = ['ethereum', 'polygon', 'base'] as const

/** Every chain that the settings ask for: behind RPC endpoints where they are named, embedded in sandbox otherwise. */
export async function startChains(config: Config, parts: Parts): Promise<StartedChains> {
  const remote = EVM.flatMap((blockchain) => remoteChain(config, parts, blockchain))
  const served = new Set(remote.map((chain) => chain.network.blockchain))
  const embedded =
    config.environment === 'live'
      ? undefined
      : await startEmbeddedChains({
          dataDir: config.dataDir,
          blockchains: BLOCKCHAINS.filter((name) => !served.has(name)),
          clock: parts.clock,
          log: parts.log,
          isRegistered: parts.isRegistered,
          onExit: (blockchain) => parts.onExit(`the embedded chain ${blockchain} ended by itself`),
        })
  const all = [...remote, ...(embedded?.chains.values() ?? [])]
  return { chains: new Map(all.map((chain) => [chain.network.blockchain, chain])), remote: [...served], embedded }
}

function remoteChain(config: Config, { clock, log }: Parts, blockchain: (typeof EVM)[number]): Chain[] {
  const { rpcUrls, confirmations } = config.chains[blockchain]
  const network = LIVE_EVM_NETWORKS.find((candidate) => candidate.blockchain === blockchain)
  if (!rpcUrls || !network) return []
  const finality = confirmations === undefined ? {} : { confirmations, finality: 'depth' as const }
  return [createEvmChain({ network: { ...network, ...finality }, rpcUrls, clock, log })]
}
