import { readFileSync } from 'node:fs'
import type { SvmInstruction } from '../../src/chains/index.ts'

/**
 * Results of Kamino's own SDK for made-up reserves, as recorded by scripts/venues/compare-kamino.mjs. Numbers are decimal
 * text; addresses are as the SDK decodes them, with its placeholders for absent ones.
 */
export interface KaminoVendor {
  /** The SDK and its release. */
  readonly vendor: string
  readonly program: string
  readonly reserves: readonly VendorReserve[]
}

interface VendorReserve {
  readonly name: string
  /** Base64, as the SDK encodes it. */
  readonly account: string
  /** The reserve's market, as the SDK encodes it. */
  readonly market: {
    readonly account: string
    readonly emergencyMode: number
    readonly rewardsMaxAprBps: number
    readonly permissioningAuthority: string
    /** Bits, one for each kind of operation. */
    readonly permissionedOps: string
  }
  readonly decoded: Readonly<Record<DecodedKey, string>> & { readonly oracles: Readonly<Record<string, string>> }
  readonly authority: string
  /** Conversions of some amounts: from shares to tokens and from tokens to shares; not rounded. */
  readonly worth: readonly { readonly amount: string; readonly tokens: string; readonly shares: string }[]
  /** The reserve's own bits. */
  readonly permissionedOps: string
  readonly withdrawals: {
    readonly cap: Readonly<Record<'capacity' | 'total' | 'startedAt' | 'seconds', string>>
    /** What of the cap is used at some times, in seconds. */
    readonly used: readonly { readonly at: string; readonly total: string }[]
    /** What is available beside the queue, not rounded; `null` where the SDK's numbers overflow. */
    readonly free: string | null
  }
  readonly terms: {
    readonly hostFixedRateBps: number
    readonly protocolTakePct: number
    readonly curve: readonly (readonly [number, number])[]
    readonly rewardsPerSlot: string
  }
  /** Without rewards. `null` where the SDK's numbers overflow. */
  readonly interest: {
    /** A yearly rate as a fraction. */
    readonly supplyRate: number
    /** Base units, at a number of slots after the reserve's refresh. */
    readonly grown: readonly { readonly slots: string; readonly borrowed: string; readonly supply: string }[]
  } | null
  /** With rewards, by what limits them. `null` where the SDK's numbers overflow. */
  readonly rewards: readonly VendorRewards[] | null
  readonly refresh: SvmInstruction
  readonly samples: readonly VendorSample[]
}

interface VendorRewards {
  readonly limit: string
  readonly available: string
  readonly perSlot: string
  readonly maxAprBps: number
  /** A yearly rate as a fraction, interest and rewards. */
  readonly supplyRate: number
  /** Base units, at a number of slots after the reserve's refresh. */
  readonly grown: readonly { readonly slots: string; readonly distributed: string; readonly supply: string }[]
}

type DecodedKey =
  | 'address'
  | 'lendingMarket'
  | 'refreshedAt'
  | 'liquidityMint'
  | 'supplyVault'
  | 'liquidityProgram'
  | 'collateralMint'
  | 'shares'
  | 'available'
  | 'borrowedSf'
  | 'protocolFeesSf'
  | 'referrerFeesSf'
  | 'pendingReferrerFeesSf'
  | 'queuedShares'
  | 'rewardsAvailable'

/** Instructions for a deposit and a redemption of the same amount. */
interface VendorSample {
  readonly owner: string
  readonly tokenAccount: string
  readonly shareAccount: string
  readonly amount: string
  readonly deposit: SvmInstruction
  readonly redeem: SvmInstruction
}

const file = new URL('../../src/venues/kamino/vendor-instructions.json', import.meta.url)

export const kaminoVendor: KaminoVendor = JSON.parse(readFileSync(file, 'utf8'))
