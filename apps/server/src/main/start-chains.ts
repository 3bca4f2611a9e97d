import {
  BLOCKCHAINS,
  type Blockchain,
  type Chain,
  createEvmChain,
  createSolanaChain,
  findWrongChainEndpoints,
  LIVE_EVM_NETWORKS,
  LIVE_SOLANA_NETWORK,
  probeEndpoint,
  type RpcObserver,
} from '../chains/index.ts'
import type { Config } from '../config.ts'
import type { Clock, Log } from '../kernel/index.ts'
import { connectChains, type EmbeddedChains, startEmbeddedChains } from '../sandbox/index.ts'
import { liveWriteLockedAccounts } from '../venues/index.ts'
import { attributeToSetting } from './attribute-to-setting.ts'

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
  readonly observer?: RpcObserver | undefined
}

/** Starts every configured chain: behind RPC endpoints where they are set, otherwise embedded in the sandbox. */
export async function startChains(config: Config, parts: ChainStartParts): Promise<StartedChains> {
  const remote = BLOCKCHAINS.flatMap((blockchain) => remoteChain(config, parts, blockchain))
  await Promise.all([rejectForeignEndpoints(config, remote), warnOfIncompleteEndpoints(config, remote, parts.log)])
  const embedded = config.environment === 'live' ? undefined : await developmentChains(config, parts)
  const all = [...remote, ...(embedded?.chains.values() ?? [])]
  return {
    chains: new Map(all.map((chain) => [chain.network.blockchain, chain])),
    remote: remote.map(({ network }) => network.blockchain),
    embedded,
  }
}

/** Starts the embedded chains of the sandbox, or connects to those that another process serves. */
function developmentChains(config: Config, { onExit, ...parts }: ChainStartParts): Promise<EmbeddedChains> {
  const { chainsFile: file, dataDir } = config
  const blockchains = withoutEndpoint(config)
  if (file) return attributeToSetting('CHAINS_FILE', () => connectChains({ ...parts, file, blockchains }))
  return startEmbeddedChains({
    ...parts,
    dataDir,
    blockchains,
    onExit: (blockchain) => onExit(`the embedded chain ${blockchain} exited unexpectedly`),
  })
}

/** The chains that this process embeds: in the sandbox, those without an RPC endpoint, unless it shares others. */
export function embeddedBlockchains(config: Pick<Config, 'environment' | 'chains' | 'chainsFile'>): Blockchain[] {
  return config.environment === 'live' || config.chainsFile ? [] : withoutEndpoint(config)
}

/** The chains for which no RPC endpoint is set. */
export function withoutEndpoint({ chains }: Pick<Config, 'chains'>): Blockchain[] {
  return BLOCKCHAINS.filter((blockchain) => !chains[blockchain].rpcUrls)
}

function remoteChain(config: Config, { clock, log, observer }: ChainStartParts, blockchain: Blockchain): Chain[] {
  const { rpcUrls, confirmations } = config.chains[blockchain]
  if (!rpcUrls) return []
  if (blockchain === 'solana') {
    const { priorityFees } = config
    const busyAccounts = liveWriteLockedAccounts()
    const network = LIVE_SOLANA_NETWORK
    return [createSolanaChain({ network, rpcUrls, clock, log, observer, priorityFees, busyAccounts })]
  }
  const network = LIVE_EVM_NETWORKS.find((candidate) => candidate.blockchain === blockchain)
  if (!network) return []
  const finality = confirmations === undefined ? {} : { confirmations, finality: 'depth' as const }
  return [createEvmChain({ network: { ...network, ...finality }, rpcUrls, clock, log, observer })]
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

/**
 * Names what endpoints cannot do for the service, such as reading the state of a final block, which is older than the
 * state that most full nodes keep. Behind such nodes alone the service settles from transactions, but cannot compare
 * balances at the block that it settled.
 */
async function warnOfIncompleteEndpoints(config: Config, remote: readonly Chain[], log: Log): Promise<void> {
  const probes = remote.flatMap(({ network }) =>
    (config.chains[network.blockchain].rpcUrls ?? []).map(async (url) => {
      const { name, lacking } = await probeEndpoint(network, url)
      const { blockchain } = network
      for (const { need, reason } of lacking)
        log.warn({ blockchain, endpoint: name, need, reason }, 'endpoint lacks what the service needs')
    }),
  )
  await Promise.all(probes)
}
