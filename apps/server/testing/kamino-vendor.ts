import { readFileSync } from 'node:fs'
import type { SvmInstruction } from '../src/chains/index.ts'

/**
 * What Kamino's own SDK says of made-up reserves, as scripts/compare-kamino.mjs recorded it. Numbers are decimal text;
 * addresses are as the SDK decodes them, with its placeholders where there is none.
 */
export interface KaminoVendor {
  /** The SDK with its release. */
  readonly vendor: string
  readonly program: string
  readonly reserves: readonly VendorReserve[]
}

interface VendorReserve {
  readonly name: string
  /** Base64, as the SDK encodes it. */
  readonly account: string
  readonly decoded: Readonly<Record<DecodedKey, string>> & { readonly oracles: Readonly<Record<string, string>> }
  readonly authority: string
  /** What some amounts of shares bring in tokens, and the same amounts of tokens in shares; not rounded. */
  readonly worth: readonly { readonly amount: string; readonly tokens: string; readonly shares: string }[]
  readonly terms: {
    readonly hostFixedRateBps: number
    readonly protocolTakePct: number
    readonly curve: readonly (readonly [number, number])[]
  }
  /** `null` where the SDK's numbers overflow. */
  readonly interest: {
    /** Of a year, as a fraction. */
    readonly supplyRate: number
    /** Base units, so many slots after the reserve was refreshed. */
    readonly grown: readonly { readonly slots: string; readonly borrowed: string; readonly supply: string }[]
  } | null
  readonly refresh: SvmInstruction
  readonly dealings: readonly VendorDealing[]
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

/** The same amount deposited, and redeemed. */
interface VendorDealing {
  readonly owner: string
  readonly tokenAccount: string
  readonly shareAccount: string
  readonly amount: string
  readonly deposit: SvmInstruction
  readonly redeem: SvmInstruction
}

const file = new URL('../src/venues/kamino/vendor-instructions.json', import.meta.url)

export const kaminoVendor: KaminoVendor = JSON.parse(readFileSync(file, 'utf8'))
