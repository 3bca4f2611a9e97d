import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BLOCKCHAINS } from '../../chains/index.ts'
import type { Config } from '../../config.ts'
import type { AgentHost } from '../../sandbox/index.ts'
import { embeddedBlockchains } from './start-chains.ts'

/** The agent's program, which the service starts and never imports: TypeScript in a clone, JavaScript in the package. */
const PROGRAM = new URL(`../../../../agent/src/main${extname(import.meta.url)}`, import.meta.url)

/**
 * How this process runs sandbox agents, or a sentence that says why it does not. It must own all chains, because the
 * agents sign for the sandbox's own only, and be reachable where these are: on this machine, by plain HTTP.
 */
export function agentHost(
  config: Pick<Config, 'environment' | 'role' | 'chains' | 'chainsFile' | 'dataDir' | 'tls'>,
  address: { readonly host: string; readonly port: number },
  program = fileURLToPath(PROGRAM),
): AgentHost | string {
  if (config.environment === 'live') return 'A live service runs no agents: your keys stay with you.'
  if (config.role !== 'all' || embeddedBlockchains(config).length < BLOCKCHAINS.length) {
    return 'Agents run only in a process with ROLE=all that embeds all chains: without CHAINS_FILE and RPC endpoints.'
  }
  const name = ANY_ADDRESS[address.host] ?? address.host
  if (config.tls !== undefined || !LOOPBACK.test(name)) {
    return 'Agents reach the service by plain HTTP on this machine: unset TLS_CERT_FILE, and use a HOST such as 127.0.0.1.'
  }
  if (!existsSync(program)) return 'This installation lacks the agent program: install the whole package.'
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`
  return { root: join(config.dataDir, 'agents'), program, url }
}

const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/
