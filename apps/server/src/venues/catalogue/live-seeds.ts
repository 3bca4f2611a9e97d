import type { Blockchain } from '../../chains/index.ts'
import { type RewardSource, rewardsParam } from '../readings.ts'
import { LIVE_JUPITER_SEED } from './live-jupiter-seeds.ts'
import { LIVE_SOLANA_SEED } from './live-solana-seeds.ts'
import { liveStrategy } from './live-strategy.ts'
import type { StrategySeed, VenueSeed } from './seed-catalogue.ts'

/**
 * The catalogue in live mode: contracts of public chains, as data, each address with its source. All tokens are USDC or
 * USDT with six decimals. Every address is compared with a second source before it enters this list, and every start
 * reads from each contract which token it takes (confirmTokens).
 */
const TOKENS = {
  ethereum: {
    USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  },
  polygon: {
    USDC: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    USDT: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
  },
  base: { USDC: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', USDT: undefined },
} as const
type LiveChain = keyof typeof TOKENS
type Symbol = 'USDC' | 'USDT'

/**
 * Aave V3: pools and aTokens from Aave's address book (npm `@bgd-labs/aave-address-book` 4.44.22: `AaveV3Ethereum`,
 * `AaveV3Polygon`, `AaveV3Base`). On polygon, USDC is the issuer's own token (`USDCn` there), not the bridged one.
 */
const AAVE: Readonly<Record<LiveChain, { pool: string; aTokens: Partial<Record<Symbol, string>> }>> = {
  ethereum: {
    pool: '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2',
    aTokens: {
      USDC: '0x98C23E9d8f34FEFb1B7BD6a91B7FF122F4e16F5c',
      USDT: '0x23878914EFE38d27C4D67Ab83ed1b93A74D4086a',
    },
  },
  polygon: {
    pool: '0x794a61358D6845594F94dc1DB02A252b5b4814aD',
    aTokens: {
      USDC: '0xA4D94019934D8333Ef880ABFFbF2FDd611C762BD',
      USDT: '0x6ab707Aca953eDAeFBc4fD23bA73294241490620',
    },
  },
  base: {
    pool: '0xA238Dd80C259a72e81d7e4664a9801593F98d1c5',
    aTokens: { USDC: '0x4e65fE4DbA92790696d040ac24Aa414708F5c0AB' },
  },
}

/**
 * Compound V3: the Comet of each base token. Source: `compound-finance/comet`, deployments/<chain>/<token>/roots.json. On
 * polygon the base token is the bridged USDC, which Weir does not list.
 */
const COMETS: Readonly<Partial<Record<LiveChain, Partial<Record<Symbol, string>>>>> = {
  ethereum: {
    USDC: '0xc3d688B66703497DAA19211EEdff47f25384cdc3',
    USDT: '0x3Afdc9BCA9213A35503b077a6072F3D0d5AB0840',
  },
  base: { USDC: '0xb125E6687d4313864e53df431d5425969c15Eb2F' },
}

/**
 * Compound V3's rewards: the contract that pays them (`rewards` of the same roots.json), and Chainlink's feed of COMP
 * (docs.chain.link/data-feeds/price-feeds/addresses).
 */
const COMPOUND_REWARDS: Readonly<Partial<Record<LiveChain, RewardSource>>> = {
  ethereum: {
    rewards: '0x1B0e765F6224C21223AeA2af16c1C46E38885a40',
    rewardFeed: '0xdbd020CAeF83eFd542f4De03e3cF0C28A4428bd5',
  },
  base: {
    rewards: '0x123964802e6ABabBE1Bc9547D72Ef1B69B00A6b1',
    rewardFeed: '0x9DDa783DE64A9d1A60c49ca761EbE528C35BA428',
  },
}

function rewardsOn(blockchain: LiveChain): { rewards?: string } {
  const source = COMPOUND_REWARDS[blockchain]
  return source === undefined ? {} : { rewards: rewardsParam(source) }
}

interface Vault {
  readonly provider: 'morpho' | 'spark' | 'fluid' | 'yearn' | 'euler'
  readonly name: string
  readonly blockchain: LiveChain
  readonly token: Symbol
  readonly address: string
}

/**
 * ERC-4626 vaults. Sources: Morpho's vault pages (app.morpho.org) and its subgraph's ids; Spark's address registry
 * (sUSDC of `spark-address-registry`); Fluid's deployments (`fluid-contracts-public`, fTokens); Yearn's vault pages
 * (yearn.fi/v3); Euler's own list (`euler-xyz/euler-labels`, products.json: `euler-prime`, `euler-base`), and for
 * ethereum the tokens in its scripts (`euler-xyz/evk-periphery`).
 */
const VAULTS: readonly Vault[] = [
  vault('morpho', 'Steakhouse USDC', ['ethereum', 'USDC'], '0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB'),
  vault('morpho', 'Gauntlet USDC Prime', ['ethereum', 'USDC'], '0xdd0f28e19C1780eb6396170735D45153D261490d'),
  vault('morpho', 'Compound USDC', ['polygon', 'USDC'], '0x781FB7F6d845E3bE129289833b04d43Aa8558c42'),
  vault('morpho', 'Moonwell Flagship USDC', ['base', 'USDC'], '0xc1256Ae5FF1cf2719D4937adb3bbCCab2E00A2Ca'),
  vault('spark', 'Spark Savings USDC', ['ethereum', 'USDC'], '0xBc65ad17c5C0a2A4D159fa5a503f4992c7B545FE'),
  vault('spark', 'Spark Savings USDC', ['base', 'USDC'], '0x3128a0F7f0ea68E7B7c9B00AFa7E41045828e858'),
  vault('fluid', 'Fluid USDC', ['ethereum', 'USDC'], '0x9Fb7b4477576Fe5B32be4C1843aFB1e55F251B33'),
  vault('fluid', 'Fluid USDT', ['ethereum', 'USDT'], '0x5C20B550819128074FD538Edf79791733ccEdd18'),
  vault('fluid', 'Fluid USDC', ['base', 'USDC'], '0xf42f5795D9ac7e9D757dB633D693cD548Cfd9169'),
  vault('euler', 'Euler Prime USDC', ['ethereum', 'USDC'], '0x797DD80692c3b2dAdabCe8e30C07fDE5307D48a9'),
  vault('euler', 'Euler Prime USDT', ['ethereum', 'USDT'], '0x313603FA690301b0CaeEf8069c065862f9162162'),
  vault('euler', 'Euler Base USDC', ['base', 'USDC'], '0x0A1a3b5f2041F33522C4efc754a7D096f880eE16'),
  vault('yearn', 'Yearn USDC-1', ['ethereum', 'USDC'], '0xBe53A109B494E5c9f97b9Cd39Fe969BE68BF6204'),
]

const PROVIDERS = { morpho: 'Morpho', spark: 'Spark', fluid: 'Fluid', yearn: 'Yearn', euler: 'Euler' } as const

/** What reports the liquidity of a provider's vaults, as in `Strategy.params`. */
const CASH: Readonly<Partial<Record<Vault['provider'], string>>> = { fluid: 'fluid', euler: 'reported' }

function vault(
  provider: Vault['provider'],
  name: string,
  [blockchain, token]: readonly [LiveChain, Symbol],
  address: string,
): Vault {
  return { provider, name, blockchain, token, address }
}

/** The live venues on the served chains. */
export function liveSeeds(served: readonly Blockchain[]): VenueSeed[] {
  const chains = (Object.keys(TOKENS) as LiveChain[]).filter((blockchain) => served.includes(blockchain))
  const evm = chains.flatMap((blockchain) => [
    aaveVenue(blockchain),
    ...compoundVenues(blockchain),
    ...vaultVenues(blockchain),
  ])
  return served.includes('solana') ? [...evm, LIVE_SOLANA_SEED, LIVE_JUPITER_SEED] : evm
}

function aaveVenue(blockchain: LiveChain): VenueSeed {
  const { pool, aTokens } = AAVE[blockchain]
  const symbols = Object.keys(aTokens) as Symbol[]
  return {
    key: `aave-v3:${blockchain}`,
    name: 'Aave V3',
    protocol: 'aave-v3',
    blockchain,
    iconUrl: null,
    strategies: symbols.map((token) =>
      strategy(`aave-v3:${blockchain}:${token}`, `Aave V3 ${token}`, {
        blockchain,
        token,
        params: {
          pool,
          aToken: aTokens[token]!,
        },
      }),
    ),
  }
}

function compoundVenues(blockchain: LiveChain): VenueSeed[] {
  const comets = Object.entries(COMETS[blockchain] ?? {}) as [Symbol, string][]
  if (comets.length === 0) return []
  const strategies = comets.map(([token, address]) =>
    strategy(`compound-v3:${blockchain}:${address}`, `Compound V3 ${token}`, {
      blockchain,
      token,
      params: { comet: address, ...rewardsOn(blockchain) },
    }),
  )
  return [
    {
      key: `compound-v3:${blockchain}`,
      name: 'Compound V3',
      protocol: 'compound-v3',
      blockchain,
      iconUrl: null,
      strategies,
    },
  ]
}

function vaultVenues(blockchain: LiveChain): VenueSeed[] {
  const chainVaults = VAULTS.filter((candidate) => candidate.blockchain === blockchain)
  return [...new Set(chainVaults.map(({ provider }) => provider))].map((provider) => ({
    key: `erc4626:${blockchain}:${provider}`,
    name: PROVIDERS[provider],
    protocol: 'erc4626',
    blockchain,
    iconUrl: null,
    strategies: chainVaults
      .filter((candidate) => candidate.provider === provider)
      .map(({ name, token, address }) =>
        strategy(`erc4626:${blockchain}:${address}`, name, {
          blockchain,
          token,
          params: { vault: address, ...(CASH[provider] && { cash: CASH[provider] }) },
        }),
      ),
  }))
}

interface ListedStrategy {
  readonly blockchain: LiveChain
  readonly token: Symbol
  readonly params: Record<string, string>
}

function strategy(key: string, name: string, { blockchain, token, params }: ListedStrategy): StrategySeed {
  const tokenAddress = TOKENS[blockchain][token]
  if (tokenAddress === undefined) throw new Error(`${token} is not listed on ${blockchain}`)
  return liveStrategy({ key, name, token, tokenAddress, supportsGasSponsorship: true, params })
}
