import {
  BLOCKCHAINS,
  type Blockchain,
  type Chain,
  createEvmChain,
  createSolanaChain,
  liveNetwork,
  probeEndpoint,
  type RpcObserver,
} from '../../chains/index.ts'
import type { Config } from '../../config.ts'
import type { Clock, Log } from '../../kernel/index.ts'
import { connectChains, type EmbeddedChains, startEmbeddedChains } from '../../sandbox/index.ts'
import { liveWriteLockedAccounts } from '../../venues/index.ts'
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
  await probeEndpoints(config, remote, parts.log)
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
  const network = liveNetwork(blockchain, confirmations)
  const parts = { network, rpcUrls, clock, log, observer }
  if (network.family === 'evm') return [createEvmChain(parts)]
  return [createSolanaChain({ ...parts, priorityFees: config.priorityFees, busyAccounts: liveWriteLockedAccounts() })]
}

/**
 * Asks each endpoint once. One of another chain ends the start, because the service would never trust it and would wait
 * forever; an unavailable one does not (rule 12). A warning names what an endpoint cannot do, such as reading the state of a final block, which is older than the
 * state that most full nodes keep. Behind such nodes alone the service settles from transactions, but cannot compare
 * balances at the block that it settled.
 */
async function probeEndpoints(config: Config, remote: readonly Chain[], log: Log): Promise<void> {
  const probes = remote.flatMap(({ network }) =>
    (config.chains[network.blockchain].rpcUrls ?? []).map(async (url) => {
      return { blockchain: network.blockchain, report: await probeEndpoint(network, url, { measures: false }) }
    }),
  )
  for (const { blockchain, report } of await Promise.all(probes)) {
    const { name: endpoint, chain, lacking } = report
    if (chain?.isRight === false) {
      const setting = `${blockchain.toUpperCase()}_RPC_URL`
      const wanted = `set it to an endpoint of ${blockchain}`
      throw new Error(`${setting}: ${endpoint} serves another chain: ${chain.method} is ${chain.id}; ${wanted}`)
    }
    for (const { need, reason } of lacking)
      log.warn({ blockchain, endpoint, need, reason }, 'an endpoint lacks what the service needs')
  }
}
