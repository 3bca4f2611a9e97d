import type { Blockchain, Network, Token } from './port/networks.ts'

function token(symbol: string, name: string, address: string, more: Partial<Token> = {}): Token {
  return { symbol, name, address, decimals: 6, needsZeroAllowance: false, ...more }
}

/**
 * The public EVM networks, with the native tokens of their issuers (not the bridged ones) and Chainlink's price feeds of
 * them (docs.chain.link/data-feeds/price-feeds/addresses). A block is final once the
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
      token('USDC', 'USD Coin', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', {
        usdFeed: '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6',
      }),
      token('USDT', 'Tether USD', '0xdAC17F958D2ee523a2206206994597C13D831ec7', {
        needsZeroAllowance: true,
        usdFeed: '0x3E7d1eAB13ad0104d2750B8863b489D65364e32D',
      }),
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
      token('USDC', 'USD Coin', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', {
        usdFeed: '0xfE4A8cc5b5B2366C1B58Bea3858e81843581b2F7',
      }),
      token('USDT', 'Tether USD', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', {
        usdFeed: '0x0A6513e40db6EB1b165753AD52E80663aeA50545',
      }),
    ],
  },
  {
    blockchain: 'base',
    family: 'evm',
    chainId: 8453,
    nativeSymbol: 'ETH',
    confirmations: 64,
    finality: 'tag',
    tokens: [
      token('USDC', 'USD Coin', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', {
        usdFeed: '0x7e860098F58bBFC8648a4311b374B1D669a2bc6B',
      }),
    ],
  },
]

/**
 * Solana's mainnet. The registry of chain names (CAIP-2) calls it `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`, which is
 * the genesis hash cut off after 32 characters; the full hash is in the validator's source. Tokens: the issuers' lists
 * (Circle, Tether). Feeds: Pyth's sponsored feeds, shard 0 (docs.pyth.network), compared with projects that use them.
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
    token('USDC', 'USD Coin', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', {
      usdFeed: 'Dpw1EAVrSB1ibxiDQyTAW6Zip3J4Btk2x4SgApQCeFbX',
    }),
    token('USDT', 'Tether USD', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', {
      usdFeed: 'HT2PLQBcG5EiCcNSaMHAjSgd9F98ecpATbk4Sk5oYuM',
    }),
  ],
}

/** The public network of a chain; with `confirmations`, an EVM block is final at that depth. */
export function liveNetwork(blockchain: Blockchain, confirmations: number | undefined): Network {
  if (blockchain === 'solana') return LIVE_SOLANA_NETWORK
  const network = LIVE_EVM_NETWORKS.find((candidate) => candidate.blockchain === blockchain)!
  return confirmations === undefined ? network : { ...network, confirmations, finality: 'depth' }
}
