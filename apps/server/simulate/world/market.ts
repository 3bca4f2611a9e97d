import { getAddress } from 'viem'
import type { Network, Token } from '../../src/chains/index.ts'
import type { VenueSeed } from '../../src/venues/index.ts'
import type { Random } from '../random.ts'

const RAY = 10n ** 27n
/** What a market has from the start: more than all holders together. */
export const WEALTH = 10n ** 30n
const YEAR = 31_536_000n

/** The chain's start in Unix seconds. */
export const GENESIS_TIME = 1_767_225_600

export interface MarketLimits {
  /** What it has lent out and cannot pay, in base units. */
  lent: bigint
  /** Whether it accepts deposits, and says so. */
  accepts: boolean
  /** The deposits of everybody that it accepts, in base units of whole tokens, more than 0; `null`: no cap. */
  cap: bigint | null
  /** Refuses every withdrawal although it says otherwise. */
  refuses: boolean
  /** The most that one withdrawal may take, in base units, which it does not report; `null`: no bound. */
  most: bigint | null
  /** What it keeps of a withdrawal without saying so, in hundredths of a percent. */
  hiddenBps: bigint
  /** Whether nodes give up on calls of its contract: they take too long. */
  isHeavy: boolean
  /** Whether the treasury's agents refuse to sign its moves: it is not on their list. */
  isUnlisted: boolean
  /** What others have deposited, in base units; `null`: more than any share could matter. */
  others: bigint | null
  /** What it keeps of a deposit, in hundredths of a percent. */
  feeBps: bigint
  /** Whether its max* functions return 0 by design, and the catalogue says so. */
  isSilent: boolean
  /** Counts the upgrades of its contract. */
  code: number
  /** What the feed of its token reports, in 1e-8 US dollars. */
  usd: bigint
}

/** Whether it accepts deposits of any size. */
export const isOpen = ({ accepts, cap }: MarketLimits): boolean => accepts && cap === null

const open = (): MarketLimits => ({
  lent: 0n,
  accepts: true,
  cap: null,
  refuses: false,
  most: null,
  hiddenBps: 0n,
  isHeavy: false,
  isUnlisted: false,
  others: null,
  feeBps: 0n,
  isSilent: false,
  code: 0,
  usd: 10n ** 8n,
})

/** How the withdrawals of a market take time. */
export interface ExitTerms {
  /** The account that pays claims. */
  readonly escrow: string
  /** The length of a cooldown, or of the epochs at whose ends a queue settles. */
  readonly seconds: number
}

/** A lending market on the simulated chain. Its price depends only on the chain's time, so any check can compute it. */
export interface Market {
  readonly key: string
  readonly protocol: 'aave-v3' | 'erc4626' | 'erc7540' | 'cooldown-vault'
  readonly token: string
  /** The contract that a deposit calls and that takes the tokens. */
  readonly contract: string
  /** Its share token: the aToken or the vault itself. */
  readonly share: string
  /** The account that holds the lent tokens. */
  readonly safe: string
  /** What the market refuses at present, whatever it owes. */
  readonly limits: MarketLimits
  /** Present where withdrawals are requested and claimed later. */
  readonly exit?: ExitTerms
  /** In the venue adapters' scale: a ray for a scaled balance, or the value of 10^30 vault shares. */
  price(time: number): bigint
}

/** Addresses that are easy to recognize in a log, in canonical spelling. */
export const addressOf = (number: number): string => getAddress(`0x${number.toString(16).padStart(40, '0')}`)

export const USDC: Token = {
  symbol: 'USDC',
  name: 'USD Coin',
  address: addressOf(0xc0c0),
  decimals: 6,
  needsZeroAllowance: false,
}
export const USDT: Token = {
  ...USDC,
  symbol: 'USDT',
  name: 'Tether',
  address: addressOf(0xdada),
  needsZeroAllowance: true,
}

const POOL = addressOf(0xaa00)
const VAULT = addressOf(0xbb00)

/** The price feed of USDC, where a seed has circuit breakers. */
export const USDC_FEED = addressOf(0xfeed)

const QUEUE = addressOf(0xcc00)
const COOLDOWN = addressOf(0xdd00)

/** A network of two tokens and three markets, which grow by the second or lose value once. */
export function networkOf(confirmations: number, hasFeed = false): Network {
  return {
    blockchain: 'polygon',
    family: 'evm',
    chainId: 31_338,
    nativeSymbol: 'POL',
    confirmations,
    tokens: hasFeed ? [{ ...USDC, usdFeed: USDC_FEED }, USDT] : [USDC, USDT],
  }
}

/** `losesAt`: when the vault loses money, instead of a random choice. */
export function marketsOf(random: Random, losesAt?: number): readonly Market[] {
  const drawn = random.chance(0.3) ? GENESIS_TIME + random.between(3_600, 20 * 86_400) : Number.POSITIVE_INFINITY
  const lossAt = losesAt ?? drawn
  const vaultStart = RAY / 1_000_000n + BigInt(random.int(1_000_000_000))
  const pool = (token: Token, share: number, rate: bigint): Market => ({
    key: `aave-v3:polygon:${token.symbol}`,
    protocol: 'aave-v3',
    token: token.address,
    contract: POOL,
    share: addressOf(share),
    safe: addressOf(share),
    limits: open(),
    price: (time) => RAY + (RAY * rate * BigInt(time - GENESIS_TIME + 86_400)) / (100n * YEAR),
  })
  return [
    pool(USDC, 0xaa01, BigInt(random.between(2, 40))),
    pool(USDT, 0xaa02, BigInt(random.between(2, 40))),
    {
      key: 'erc4626:polygon:USDC',
      protocol: 'erc4626',
      token: USDC.address,
      contract: VAULT,
      share: VAULT,
      safe: VAULT,
      limits: open(),
      price(time) {
        const grown = vaultStart + (vaultStart * 12n * BigInt(time - GENESIS_TIME)) / (100n * YEAR)
        return time < lossAt ? grown : (grown * 97n) / 100n
      },
    },
  ]
}

/** The vault that pays at once keeps half a percent of each deposit. */
export function takeFees(markets: readonly Market[]): void {
  for (const { protocol, limits } of markets) if (protocol === 'erc4626') limits.feeBps = 50n
}

/** The vault that pays at once reports no limit: what it takes and pays shows only when it is tried. */
export function hideLimits(markets: readonly Market[]): void {
  for (const { protocol, limits } of markets) if (protocol === 'erc4626') limits.isSilent = true
}

/** Two vaults that pay withdrawals later, one of which makes a loss in some seeds, or at a given time. */
export function slowMarketsOf(random: Random, losesAt?: number): readonly Market[] {
  const drawn = random.chance(0.3) ? GENESIS_TIME + random.between(3_600, 10 * 86_400) : Number.POSITIVE_INFINITY
  const lossAt = losesAt ?? drawn
  const vault = (protocol: Market['protocol'], contract: string, exit: ExitTerms): Market => {
    const rate = BigInt(random.between(30, 60))
    const start = RAY / 1_000_000n
    return {
      key: `${protocol}:polygon:USDC`,
      protocol,
      token: USDC.address,
      contract,
      share: contract,
      safe: contract,
      limits: open(),
      exit,
      price(time) {
        const grown = start + (start * rate * BigInt(time - GENESIS_TIME)) / (100n * YEAR)
        return protocol === 'erc7540' && time >= lossAt ? (grown * 97n) / 100n : grown
      },
    }
  }
  return [
    vault('erc7540', QUEUE, { escrow: addressOf(0xcc01), seconds: random.pick([60, 600, 5_000]) }),
    vault('cooldown-vault', COOLDOWN, { escrow: addressOf(0xdd01), seconds: random.pick([60, 600, 5_000]) }),
  ]
}

export function seedsOf(markets: readonly Market[]): VenueSeed[] {
  const strategies = (protocol: Market['protocol']) =>
    markets
      .filter((market) => market.protocol === protocol)
      .map((market) => ({
        key: market.key,
        name: market.key,
        token: market.token === USDC.address ? 'USDC' : 'USDT',
        tokenAddress: market.token,
        tokenDecimals: 6,
        minDeposit: 1_000n,
        maxDeposit: null,
        status: 'active' as const,
        supportsGasSponsorship: true,
        params: paramsOf(market),
      }))
  const venue = (protocol: Market['protocol']): VenueSeed => ({
    key: `${protocol}:polygon`,
    name: protocol,
    protocol,
    blockchain: 'polygon',
    iconUrl: null,
    strategies: strategies(protocol),
  })
  return [...new Set(markets.map(({ protocol }) => protocol))].map(venue)
}

function paramsOf({ protocol, share, contract, limits, exit }: Market): Record<string, string> {
  if (protocol === 'aave-v3') return { pool: POOL, aToken: share }
  if (limits.isSilent) return { vault: contract, limits: 'unreported' }
  return protocol === 'cooldown-vault' ? { vault: contract, escrow: exit!.escrow } : { vault: contract }
}
