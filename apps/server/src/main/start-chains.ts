import {
  BLOCKCHAINS,
  type Blockchain,
  type Chain,
  createEvmChain,
  createSolanaChain,
  findWrongChainEndpoints,
  LIVE_EVM_NETWORKS,
  LIVE_SOLANA_NETWORK,
} from '../chains/index.ts'
import type { Config } from '../config.ts'
import type { Clock, Log } from '../kernel/index.ts'
import { type EmbeddedChains, startEmbeddedChains } from '../sandbox/index.ts'
import { liveWriteLockedAccounts } from '../venues/index.ts'

export interface StartedChains {
  readonly chains: ReadonlyMap<Blockchain, Chain>
  /** Chains behind RPC endpoints: public ones, or others that the operator runs. */
  readonly remote: readonly Blockchain[]
  /** In the sandbox, the chains without a configured RPC endpoint, as the sandbox controls them. */
  readonly embedded: EmbeddedChains | undefined
}

interface ChainStartParts {
  readonly clock: Clock
  readonly log: Log
  readonly isRegistered: (blockchain: string, address: string) => Promise<boolean>
  readonly onExit: (line: string) => void
}

/** Starts every configured chain: behind RPC endpoints where they are set, otherwise embedded in the sandbox. */
export async function startChains(config: Config, parts: ChainStartParts): Promise<StartedChains> {
  const remote = BLOCKCHAINS.flatMap((blockchain) => remoteChain(config, parts, blockchain))
  await rejectForeignEndpoints(config, remote)
  const embedded =
    config.environment === 'live'
      ? undefined
      : await startEmbeddedChains({
          dataDir: config.dataDir,
          blockchains: embeddedBlockchains(config),
          clock: parts.clock,
          log: parts.log,
          isRegistered: parts.isRegistered,
          onExit: (blockchain) => parts.onExit(`the embedded chain ${blockchain} exited unexpectedly`),
        })
  const all = [...remote, ...(embedded?.chains.values() ?? [])]
  return {
    chains: new Map(all.map((chain) => [chain.network.blockchain, chain])),
    remote: remote.map(({ network }) => network.blockchain),
    embedded,
  }
}

/** The chains that this process embeds: in the sandbox, those without an RPC endpoint. */
export function embeddedBlockchains({ environment, chains }: Pick<Config, 'environment' | 'chains'>): Blockchain[] {
  return environment === 'live' ? [] : BLOCKCHAINS.filter((blockchain) => !chains[blockchain].rpcUrls)
}

function remoteChain(config: Config, { clock, log }: ChainStartParts, blockchain: Blockchain): Chain[] {
  const { rpcUrls, confirmations } = config.chains[blockchain]
  if (!rpcUrls) return []
  if (blockchain === 'solana') {
    const { priorityFees } = config
    const busyAccounts = liveWriteLockedAccounts()
    const network = LIVE_SOLANA_NETWORK
    return [createSolanaChain({ network, rpcUrls, clock, log, priorityFees, busyAccounts })]
  }
  const network = LIVE_EVM_NETWORKS.find((candidate) => candidate.blockchain === blockchain)
  if (!network) return []
  const finality = confirmations === undefined ? {} : { confirmations, finality: 'depth' as const }
  return [createEvmChain({ network: { ...network, ...finality }, rpcUrls, clock, log })]
}

/**
 * Refuses to start on an endpoint of another chain, because the service would never trust it and would wait forever. An
 * unavailable endpoint does not prevent the start (rule 12).
 */
async function rejectForeignEndpoints(config: Config, remote: readonly Chain[]): Promise<void> {
  for (const { network } of remote) {
    const [foreign] = await findWrongChainEndpoints(network, config.chains[network.blockchain].rpcUrls ?? [])
    if (foreign) throw new Error(`${network.blockchain.toUpperCase()}_RPC_URL: ${foreign}`)
  }
}
