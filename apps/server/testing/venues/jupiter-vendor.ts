import { readFileSync } from 'node:fs'
import type { SvmInstruction } from '../../src/chains/index.ts'

/** Results of Jupiter Lend's own SDK, as recorded by scripts/venues/compare-jupiter-lend.mjs. Numbers are decimal text. */
export interface JupiterVendor {
  /** The SDK and its release. */
  readonly vendor: string
  readonly program: string
  readonly samples: readonly JupiterSample[]
  /** Of the first sample's market, in base64, as the SDK encodes them. */
  readonly accounts: Readonly<Record<'lending' | 'reserve' | 'position', string>>
  /** What shares are worth by these accounts, rounded half up. */
  readonly worth: readonly { readonly shares: string; readonly tokens: string }[]
}

/** Instructions of one owner for one amount. */
interface JupiterSample {
  readonly token: string
  readonly tokenAddress: string
  readonly owner: string
  readonly amount: string
  /** Every account by the SDK's name for it. */
  readonly addresses: Readonly<Record<string, string>>
  readonly deposit: SvmInstruction
  readonly withdraw: SvmInstruction
  readonly redeem: SvmInstruction
}

const file = new URL('../../src/venues/jupiter-lend/vendor-instructions.json', import.meta.url)

export const jupiterVendor: JupiterVendor = JSON.parse(readFileSync(file, 'utf8'))
