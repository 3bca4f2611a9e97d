import { EVM_BLOCKCHAINS } from '../../chains/index.ts'
import type { CatalogueStatus } from '../../database/index.ts'
import { rewardsParam } from '../readings.ts'

/** The kinds whose addresses and rules can be read from the chain alone, and the chains of each. */
export const CHAINS_OF = {
  erc4626: EVM_BLOCKCHAINS,
  erc7540: EVM_BLOCKCHAINS,
  'cooldown-vault': EVM_BLOCKCHAINS,
  'compound-v3': EVM_BLOCKCHAINS,
  'aave-v3': EVM_BLOCKCHAINS,
  kamino: ['solana'],
} as const
export type ListedKind = keyof typeof CHAINS_OF
export const KINDS = Object.keys(CHAINS_OF) as ListedKind[]

export const STATUSES = ['active', 'paused', 'deprecated'] as const satisfies readonly CatalogueStatus[]

export const RATES = ['ssr', 'vsr'] as const
export const LIQUIDITY_SOURCES = ['reported', 'fluid', 'held', 'minted'] as const

/** An entry of a venue file. */
export interface ListedVenue {
  /** Position in the file, from 0. */
  readonly index: number
  readonly blockchain: (typeof CHAINS_OF)[ListedKind][number]
  readonly kind: ListedKind
  /** In its chain's own spelling: the vault, the Comet, the aToken, or the reserve. */
  readonly address: string
  /** Where the operator found the address; shown with the facts about its risk. */
  readonly source: string
  readonly name: string | undefined
  /** Shown as the venue, and counted by caps on a protocol. */
  readonly provider: string | undefined
  readonly status: (typeof STATUSES)[number]
  readonly limits: 'unreported' | undefined
  /** The function that returns the factor by which the price grows in a second. */
  readonly rate: (typeof RATES)[number] | undefined
  /** What reports how much all depositors could withdraw: the function `cash`, Fluid's Liquidity contract, its balance, or nothing. */
  readonly cash: (typeof LIQUIDITY_SOURCES)[number] | undefined
  /** The contract that pays what a Comet tracks, and the feed of that token's price; both or none. */
  readonly rewards: string | undefined
  readonly rewardFeed: string | undefined
}

const PROVIDERS: Readonly<Record<ListedKind, string>> = {
  erc4626: 'ERC-4626 Vaults',
  erc7540: 'ERC-7540 Vaults',
  'cooldown-vault': 'Cooldown Vaults',
  'compound-v3': 'Compound V3',
  'aave-v3': 'Aave V3',
  kamino: 'Kamino',
}

/** As in Weir's own list where it goes by address, so that an entry keeps its id and its positions if Weir lists it later. */
export const keyOf = ({ kind, blockchain, address }: ListedVenue): string => `${kind}:${blockchain}:${address}`

export const providerOf = ({ provider, kind }: ListedVenue): string => provider ?? PROVIDERS[kind]

/** `USDC vault 0x1234…abcd` without a name. */
export const nameOf = ({ name, kind, address }: ListedVenue, token: string): string =>
  name ?? `${token} ${NOUNS[kind] ?? 'vault'} ${address.slice(0, 6)}…${address.slice(-4)}`

const NOUNS: Readonly<Partial<Record<ListedKind, string>>> = { 'aave-v3': 'reserve', kamino: 'reserve' }

/** As in `Strategy.params`: the contracts that its chain named, read as the file says. */
export function paramsOf(
  { limits, rate, cash, rewards, rewardFeed }: ListedVenue,
  contracts: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...contracts,
    ...(limits && { limits }),
    ...(rate && { rate }),
    ...(cash && { cash }),
    ...(rewards && rewardFeed && { rewards: rewardsParam({ rewards, rewardFeed }) }),
  }
}

/** The role of the contract that an entry names. */
export const MAIN_CONTRACT: Readonly<Record<ListedKind, string>> = {
  erc4626: 'vault',
  erc7540: 'vault',
  'cooldown-vault': 'vault',
  'compound-v3': 'comet',
  'aave-v3': 'aToken',
  kamino: 'reserve',
}
