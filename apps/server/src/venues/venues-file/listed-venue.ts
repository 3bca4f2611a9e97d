import { EVM_BLOCKCHAINS } from '../../chains/index.ts'
import type { CatalogueStatus } from '../../database/index.ts'

/** The kinds whose addresses and rules can be read from the chain alone. */
export const KINDS = ['erc4626', 'erc7540', 'compound-v3'] as const
export type ListedKind = (typeof KINDS)[number]

/** The chains of these kinds. */
export const LISTABLE_CHAINS = EVM_BLOCKCHAINS

export const STATUSES = ['active', 'paused', 'deprecated'] as const satisfies readonly CatalogueStatus[]

export const RATES = ['ssr', 'vsr'] as const
export const CASHES = ['reported', 'fluid', 'held'] as const

/** An entry of a venue file. */
export interface ListedVenue {
  /** Position in the file, from 0. */
  readonly index: number
  readonly blockchain: (typeof LISTABLE_CHAINS)[number]
  readonly kind: ListedKind
  /** Checksummed. */
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
  /** What reports how much all depositors could withdraw: the function `cash`, Fluid's Liquidity contract, or its balance. */
  readonly cash: (typeof CASHES)[number] | undefined
}

const PROVIDERS: Readonly<Record<ListedKind, string>> = {
  erc4626: 'ERC-4626 Vaults',
  erc7540: 'ERC-7540 Vaults',
  'compound-v3': 'Compound V3',
}

/** As in Weir's own list, so that an entry keeps its id and its positions if Weir lists it later. */
export const keyOf = ({ kind, blockchain, address }: ListedVenue): string => `${kind}:${blockchain}:${address}`

export const providerOf = ({ provider, kind }: ListedVenue): string => provider ?? PROVIDERS[kind]

/** `USDC vault 0x1234…abcd` without a name. */
export const nameOf = ({ name, address }: ListedVenue, token: string): string =>
  name ?? `${token} vault ${address.slice(0, 6)}…${address.slice(-4)}`

/** As in `Strategy.params`. */
export const paramsOf = ({ address, kind, limits, rate, cash }: ListedVenue): Record<string, string> =>
  kind === 'compound-v3'
    ? { comet: address }
    : { vault: address, ...(limits && { limits }), ...(rate && { rate }), ...(cash && { cash }) }
