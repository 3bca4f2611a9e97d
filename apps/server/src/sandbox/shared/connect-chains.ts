import type { Blockchain } from '../../chains/index.ts'
import { type AssemblyParts, assembleChains, type EmbeddedChains } from '../assemble-chains.ts'
import { PATHS } from './chains-control.ts'
import { readChainsFile } from './chains-file.ts'
import { createChainsLink } from './chains-link.ts'
import { remoteNode } from './remote-node.ts'

export interface ConnectChainsParts extends AssemblyParts {
  /** The file that `weir chains` wrote. */
  readonly file: string
  readonly blockchains: readonly Blockchain[]
  readonly isRegistered: (blockchain: string, address: string) => Promise<boolean>
}

/** Connects to the embedded chains that `weir chains` serves. Throws when they do not respond. */
export async function connectChains(parts: ConnectChainsParts): Promise<EmbeddedChains> {
  const content = await readChainsFile(parts.file)
  const link = createChainsLink(content)
  const deployments = await link.control.deployments().catch((error: unknown) => {
    throw new Error(`no chains respond at ${content.url}: start them with weir chains`, { cause: error })
  })
  const nodes = deployments
    .filter(({ blockchain }) => parts.blockchains.includes(blockchain))
    .map((deployment) => ({ ...deployment, url: `${content.url}${PATHS.faulty}${deployment.blockchain}` }))
    .map((deployment) => remoteNode({ link, deployment, isRegistered: parts.isRegistered }))
  return assembleChains(nodes, { ...parts, runExclusive: link.runExclusive, stop: async () => {} })
}
