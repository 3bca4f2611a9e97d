/** The embedded EVM chains: ids, tokens, markets and vaults (contract 13). */

export type EvmBlockchain = 'ethereum' | 'polygon' | 'base'

export const EVM_BLOCKCHAINS: readonly EvmBlockchain[] = ['ethereum', 'polygon', 'base']

export type Stablecoin = 'USDC' | 'USDT'

/** One vault of a chain. Amounts in base units of the token; `rate` in basis points a year. */
type VaultDesign = {
  readonly key: string
  readonly name: string
  readonly token: Stablecoin
  readonly rate: number
  readonly minDeposit: bigint
  readonly maxDeposit: bigint | null
  readonly status: 'active' | 'paused'
}

export type ChainDesign = {
  readonly blockchain: EvmBlockchain
  readonly chainId: number
  /** Account branch that deploys here. Addresses differ between chains, which exposes mix-ups. */
  readonly accountIndex: number
  /** The borrower's debt per Aave reserve from the first block on, in whole tokens. */
  readonly borrowed: Readonly<Partial<Record<Stablecoin, bigint>>>
  readonly vaults: readonly VaultDesign[]
  /** The token of the vaults that lend everything on; null: the chain has none. */
  readonly lending: Stablecoin | null
}

const UNIT = 1_000_000n

/** The liquidity provider's deposit into each reserve and each vault, in base units of a stablecoin. */
export const MARKET_LIQUIDITY = 100_000_000n * UNIT
export const VAULT_LIQUIDITY = 100_000n * UNIT

/** The minimum deposit of a strategy: one token. */
export const MIN_DEPOSIT = UNIT

export function baseUnits(wholeTokens: bigint): bigint {
  return wholeTokens * UNIT
}

function vault(blockchain: EvmBlockchain, token: Stablecoin, rate: number): VaultDesign {
  return {
    key: `erc4626:${blockchain}:${token}`,
    name: `Yield Vault ${token}`,
    token,
    rate,
    minDeposit: MIN_DEPOSIT,
    maxDeposit: null,
    status: 'active',
  }
}

export const CHAIN_DESIGNS: Readonly<Record<EvmBlockchain, ChainDesign>> = {
  ethereum: {
    blockchain: 'ethereum',
    chainId: 31337,
    accountIndex: 0,
    borrowed: { USDC: 62_000_000n, USDT: 65_000_000n },
    vaults: [vault('ethereum', 'USDC', 480), vault('ethereum', 'USDT', 520)],
    lending: null,
  },
  polygon: {
    blockchain: 'polygon',
    chainId: 31338,
    accountIndex: 1,
    borrowed: { USDC: 68_000_000n, USDT: 64_000_000n },
    vaults: [
      vault('polygon', 'USDC', 500),
      vault('polygon', 'USDT', 540),
      {
        key: 'erc4626:polygon:USDC:capped',
        name: 'Capped',
        token: 'USDC',
        rate: 650,
        minDeposit: 2n * UNIT,
        maxDeposit: 100_000n * UNIT,
        status: 'active',
      },
      {
        key: 'erc4626:polygon:USDC:paused',
        name: 'Paused',
        token: 'USDC',
        rate: 420,
        minDeposit: MIN_DEPOSIT,
        maxDeposit: null,
        status: 'paused',
      },
    ],
    lending: 'USDC',
  },
  base: {
    blockchain: 'base',
    chainId: 31339,
    accountIndex: 2,
    borrowed: { USDC: 66_000_000n },
    vaults: [vault('base', 'USDC', 510)],
    lending: null,
  },
}

/** The stablecoins of a chain, in the order in which they are deployed. */
export function stablecoinsOf(design: ChainDesign): Stablecoin[] {
  return (['USDC', 'USDT'] as const).filter((symbol) => design.borrowed[symbol] !== undefined)
}
