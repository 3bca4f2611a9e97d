import { BlockList, isIP } from 'node:net'
import type { Values } from './settings.ts'

/**
 * Plain http links of live, as problems of the settings that name them: an unencrypted one shows the API key, and lets
 * others change what the agent reads and signs. Loopback addresses and hosts in PRIVATE_LINKS are accepted.
 */
export function insecureLinks(values: Values): [name: string, sentence: string][] {
  const links: [string, readonly (string | undefined)[]][] = [
    ['WEIR_URL', [values.url]],
    ['SIGNER_URL', [values.signerUrl]],
    ['KMS_ENDPOINT', [values.kmsEndpoint]],
    ['ETHEREUM_RPC_URL', values.ethereumRpcUrls ?? []],
    ['POLYGON_RPC_URL', values.polygonRpcUrls ?? []],
    ['BASE_RPC_URL', values.baseRpcUrls ?? []],
    ['SOLANA_RPC_URL', values.solanaRpcUrls ?? []],
  ]
  const isPrivate = privateHosts(values.privateLinks ?? [])
  return links.flatMap(([name, urls]) => {
    const parsed = urls.flatMap((url) => (url === undefined ? [] : [new URL(url)]))
    const exposed = parsed.find(({ protocol, hostname }) => protocol === 'http:' && !isPrivate(hostname))
    if (!exposed) return []
    const { hostname } = exposed
    return [
      [name, `must use https to reach ${hostname} when AGENT_ENV is live, or PRIVATE_LINKS must list ${hostname}`],
    ]
  })
}

function privateHosts(links: readonly string[]): (hostname: string) => boolean {
  const networks = new BlockList()
  networks.addSubnet('127.0.0.0', 8, 'ipv4')
  networks.addAddress('::1', 'ipv6')
  const names = new Set(['localhost'])
  for (const link of links) {
    const [address = '', bits] = link.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) names.add(link.toLowerCase())
    else if (bits === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(bits), family)
  }
  return (hostname) => {
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const family = isIP(host)
    return family === 0 ? names.has(host.toLowerCase()) : networks.check(host, family === 6 ? 'ipv6' : 'ipv4')
  }
}
