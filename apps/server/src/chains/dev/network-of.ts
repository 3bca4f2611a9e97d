import type { EvmDeployment } from '@weir/devnet'
import type { Network } from '../networks.ts'

const NATIVE_SYMBOLS = { ethereum: 'ETH', polygon: 'POL', base: 'ETH' } as const

/** An embedded chain as a network: its blocks are final at once (decisions 8). The only knowledge of its record here. */
export function networkOf(deployment: EvmDeployment): Network {
  return {
    blockchain: deployment.blockchain,
    family: 'evm',
    chainId: deployment.chainId,
    nativeSymbol: NATIVE_SYMBOLS[deployment.blockchain],
    confirmations: 1,
    tokens: deployment.tokens.map(({ symbol, name, address, decimals }) => ({
      symbol,
      name,
      address,
      decimals,
      needsZeroAllowance: symbol === 'USDT',
    })),
  }
}
