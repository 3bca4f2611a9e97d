import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, secretKeyOf } from './accounts.ts'
import type { SolanaDeployment, SolanaStrategy, SolanaToken } from './deployment.ts'
import {
  SECONDS_A_YEAR,
  SHARE_DECIMALS_MORE,
  type VaultAddresses,
  type VaultTerms,
  vaultAddresses,
} from './vault-program.ts'

const DECIMALS = 6
const UNIT = 10n ** BigInt(DECIMALS)

const DESIGN = [
  { symbol: 'USDC', name: 'USD Coin', mint: 'USDC mint', rateBasisPoints: 500 },
  { symbol: 'USDT', name: 'Tether USD', mint: 'USDT mint', rateBasisPoints: 450 },
] as const

/** The treasury's first deposit into each vault: no user is ever its only depositor. */
export const FIRST_DEPOSIT = 1_000_000n * UNIT
/** Each vault's yield budget: enough for a hundred million tokens over a century. */
export const YIELD_BUDGET = 1_000_000_000n * UNIT
const MIN_DEPOSIT = UNIT

/**
 * Releases whose program had fewer instructions and left the bytes of `paused`, `cap` and `lost` zero, which means none.
 * The program is installed at every start, so their vaults get the new instructions.
 */
const EARLIER_FINGERPRINTS = ['93a5f223f3c50546f29a97ad1a95d12d2e490d2206b03d8e5bd640477359b3f3']

export const TREASURY_LAMPORTS = 1_000_000n * 1_000_000_000n

export type SolanaPlan = {
  readonly programBytes: Uint8Array
  readonly vaults: readonly { readonly token: SolanaToken; readonly at: VaultAddresses; readonly terms: VaultTerms }[]
  readonly deployment: Omit<SolanaDeployment, 'url' | 'genesisHash'>
  /** Changes with anything that a chain starts with; a saved chain with another fingerprint does not fit. */
  readonly fingerprint: string
  /** Chains of earlier releases that fit: this release's program continues their vaults. */
  readonly earlierFingerprints: readonly string[]
}

/** Plans what this release puts on a chain. */
export async function planSolana(): Promise<SolanaPlan> {
  const programBytes = readFileSync(join(import.meta.dirname, '../../programs/vault/vault.so'))
  const program = await addressOf('vault program')
  const vaults = await Promise.all(
    DESIGN.map(async ({ symbol, name, mint, rateBasisPoints }) => {
      const usdFeed = await addressOf(`${symbol} feed`)
      const token: SolanaToken = { symbol, name, address: await addressOf(mint), decimals: DECIMALS, usdFeed }
      const at = await vaultAddresses(program, token.address)
      const terms = {
        rateNumerator: BigInt(rateBasisPoints),
        rateDenominator: 10_000n * SECONDS_A_YEAR,
        minDeposit: MIN_DEPOSIT,
      }
      return { token, at, terms, rateBasisPoints }
    }),
  )
  const treasury = { address: await addressOf('treasury'), secretKey: await secretKeyOf('treasury') }
  const tokens = vaults.map(({ token }) => token)
  const strategies = vaults.map(strategyOf)
  // Feeds are written at every start, so a saved chain without one gets it.
  const carriedTokens = tokens.map(({ usdFeed: _, ...token }) => token)
  const carried = [carriedTokens, strategies, FIRST_DEPOSIT, YIELD_BUDGET, treasury.address].map((part) =>
    JSON.stringify(part, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
  )
  const fingerprint = createHash('sha256').update(programBytes).update(carried.join()).digest('hex')
  return {
    programBytes,
    vaults,
    deployment: { blockchain: 'solana', tokens, strategies, treasury },
    fingerprint,
    earlierFingerprints: EARLIER_FINGERPRINTS,
  }
}

function strategyOf({
  token,
  at,
  rateBasisPoints,
}: {
  readonly token: SolanaToken
  readonly at: VaultAddresses
  readonly rateBasisPoints: number
}): SolanaStrategy {
  return {
    key: `share-vault:solana:${token.symbol}`,
    name: `Share Vault ${token.symbol}`,
    token: token.symbol,
    tokenAddress: token.address,
    minDeposit: MIN_DEPOSIT,
    maxDeposit: null,
    status: 'active',
    protocol: 'share-vault',
    params: {
      program: at.program,
      vault: at.vault,
      shareMint: at.shareMint,
      shareDecimals: token.decimals + SHARE_DECIMALS_MORE,
      liquidity: at.liquidity,
      rateBasisPoints,
    },
  }
}
