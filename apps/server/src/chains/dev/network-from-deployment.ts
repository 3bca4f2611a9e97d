import type { EvmDeployment, SolanaDeployment } from '@weir/devnet'
import type { Network } from '../port/networks.ts'

const NATIVE_SYMBOLS = { ethereum: 'ETH', polygon: 'POL', base: 'ETH', solana: 'SOL' } as const

/** An embedded chain as a network; its blocks are final at once (contract 8). Only this file knows its record here. */
export function networkFromDeployment(deployment: EvmDeployment | SolanaDeployment): Network {
  return {
    blockchain: deployment.blockchain,
    nativeSymbol: NATIVE_SYMBOLS[deployment.blockchain],
    ...familyOf(deployment),
    confirmations: 1,
    tokens: deployment.tokens.map(({ symbol, name, address, decimals, ...rest }) => ({
      symbol,
      name,
      address,
      decimals,
      ...('usdFeed' in rest && { usdFeed: rest.usdFeed }),
      needsZeroAllowance: symbol === 'USDT' && deployment.blockchain !== 'solana',
    })),
  }
}

function familyOf(deployment: EvmDeployment | SolanaDeployment) {
  if (deployment.blockchain !== 'solana') return { family: 'evm', chainId: deployment.chainId } as const
  return { family: 'svm', chainId: undefined, genesisHash: deployment.genesisHash } as const
}
