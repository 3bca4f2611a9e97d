import { associatedTokenAddress, type Network, type Token } from '../../../src/chains/index.ts'
import type { VenueSeed } from '../../../src/venues/index.ts'
import { addressNamed } from './keys.ts'

const token = (symbol: string, name: string): Token => ({
  symbol,
  name,
  address: addressNamed(`mint ${symbol}`),
  decimals: 6,
  needsZeroAllowance: false,
})

export const USDC = token('USDC', 'USD Coin')
export const USDT = token('USDT', 'Tether')
export const GENESIS_HASH = addressNamed('genesis')
export const VAULT_PROGRAM = addressNamed('program of the vaults')

/** The accounts that circuit breakers watch: the price of USDC, and the data of the vaults' program. */
export const USDC_FEED = addressNamed('price of USDC')
export const PROGRAM_DATA = addressNamed('data of the program of the vaults')

/** A share vault on the simulated cluster. */
export interface VaultMarket {
  readonly key: string
  readonly token: string
  readonly vault: string
  readonly shareMint: string
  /** The vault's token account. */
  readonly liquidity: string
}

export const MARKETS: readonly VaultMarket[] = [USDC, USDT].map(({ symbol, address }) => ({
  key: `share-vault:solana:${symbol}`,
  token: address,
  vault: addressNamed(`vault of ${symbol}`),
  shareMint: addressNamed(`shares of ${symbol}`),
  liquidity: addressNamed(`liquidity of ${symbol}`),
}))

interface NetworkTerms {
  readonly finality: 'depth' | 'tag'
  readonly follow: 'blocks' | 'wallets'
  readonly hasFeed: boolean
}

export function networkOf({ finality, follow, hasFeed }: NetworkTerms): Network {
  return {
    blockchain: 'solana',
    family: 'svm',
    chainId: undefined,
    genesisHash: GENESIS_HASH,
    nativeSymbol: 'SOL',
    confirmations: finality === 'tag' ? 32 : 1,
    finality,
    ...(follow === 'wallets' ? { follow } : {}),
    tokens: [hasFeed ? { ...USDC, usdFeed: USDC_FEED } : USDC, USDT],
  }
}

export function seedsOfVaults(): VenueSeed[] {
  const strategies = MARKETS.map(({ key, token, vault, shareMint, liquidity }) => ({
    key,
    name: key,
    token: token === USDC.address ? 'USDC' : 'USDT',
    tokenAddress: token,
    tokenDecimals: 6,
    minDeposit: 1_000n,
    maxDeposit: null,
    status: 'active' as const,
    supportsGasSponsorship: false,
    params: { program: VAULT_PROGRAM, vault, shareMint, liquidity },
  }))
  const venue = { key: 'share-vault:solana', name: 'Share vaults', protocol: 'share-vault', blockchain: 'solana' }
  return [{ ...venue, iconUrl: null, strategies } as VenueSeed]
}

/** Owners' token and share accounts, derived in advance: deriving them in a run would disturb the order of turns. */
export class Accounts {
  readonly #accounts = new Map<string, string>()

  async derive(owners: readonly string[]): Promise<void> {
    const mints = MARKETS.flatMap(({ token, shareMint }) => [token, shareMint])
    for (const owner of owners)
      for (const mint of mints) this.#accounts.set(`${owner} ${mint}`, await associatedTokenAddress(owner, mint))
  }

  of(owner: string, mint: string): string {
    return this.#accounts.get(`${owner} ${mint}`)!
  }
}
