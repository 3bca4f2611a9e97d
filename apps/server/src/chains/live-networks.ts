import type { Network, Token } from './port/networks.ts'

function token(symbol: string, name: string, address: string, needsZeroAllowance = false): Token {
  return { symbol, name, address, decimals: 6, needsZeroAllowance }
}

/**
 * The public EVM networks, with the native tokens of their issuers (not the bridged ones). A block is final once the
 * chain itself calls it finalized (contract 8): no single depth is right for all three.
 */
export const LIVE_EVM_NETWORKS: readonly Network[] = [
  {
    blockchain: 'ethereum',
    family: 'evm',
    chainId: 1,
    nativeSymbol: 'ETH',
    confirmations: 64,
    finality: 'tag',
    tokens: [
      token('USDC', 'USD Coin', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
      token('USDT', 'Tether USD', '0xdAC17F958D2ee523a2206206994597C13D831ec7', true),
    ],
  },
  {
    blockchain: 'polygon',
    family: 'evm',
    chainId: 137,
    nativeSymbol: 'POL',
    confirmations: 64,
    finality: 'tag',
    tokens: [
      token('USDC', 'USD Coin', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
      token('USDT', 'Tether USD', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'),
    ],
  },
  {
    blockchain: 'base',
    family: 'evm',
    chainId: 8453,
    nativeSymbol: 'ETH',
    confirmations: 64,
    finality: 'tag',
    tokens: [token('USDC', 'USD Coin', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')],
  },
]

/**
 * Solana's mainnet. The registry of chain names (CAIP-2) calls it `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`, which is
 * the genesis hash cut off after 32 characters; the full hash is in the validator's source. Tokens: the issuers' lists
 * (Circle, Tether).
 */
export const LIVE_SOLANA_NETWORK: Network = {
  blockchain: 'solana',
  family: 'svm',
  chainId: undefined,
  genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  nativeSymbol: 'SOL',
  // A block with 32 votes on top is final; nodes report which one that is.
  confirmations: 32,
  finality: 'tag',
  follow: 'wallets',
  tokens: [
    token('USDC', 'USD Coin', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
    token('USDT', 'Tether USD', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
  ],
}
