import type { SandboxParts } from './parts.ts'

/** What a client library needs to connect to an embedded chain. */
export interface SandboxNetwork {
  readonly blockchain: string
  /** EVM only. */
  readonly chainId: number | undefined
  readonly rpcUrl: string
  readonly tokens: readonly { readonly symbol: string; readonly address: string; readonly decimals: number }[]
}

/** Lists the embedded chains with their public RPC URLs, which start with `publicUrl` (contract 13). */
export function listNetworks({ sandbox }: Pick<SandboxParts, 'sandbox'>, publicUrl: string): SandboxNetwork[] {
  return [...sandbox.values()].map(({ network: { blockchain, chainId, tokens } }) => ({
    blockchain,
    chainId,
    rpcUrl: `${publicUrl}/sandbox/rpc/${blockchain}`,
    tokens: tokens.map(({ symbol, address, decimals }) => ({ symbol, address, decimals })),
  }))
}
