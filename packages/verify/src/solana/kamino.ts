import { createHash } from 'node:crypto'
import type { KaminoVenue, TokenRule } from '../allow-list.ts'
import { expectAmount, expectSupply, expectUnwind } from '../expect-intent.ts'
import type { Intent, Meaning } from '../intent.ts'
import { Refusal, refuseUnless } from '../refusal.ts'
import { INSTRUCTIONS_SYSVAR, kaminoAuthorityOf, TOKEN_PROGRAM, tokenAccountOf } from './addresses.ts'
import { sameAccounts } from './frame.ts'
import type { SolanaInstruction } from './read.ts'
import { boundShares, requireCounted } from './shares.ts'

const REFRESH = discriminator('refresh_reserve')
const DEPOSIT = discriminator('deposit_reserve_liquidity')
const REDEEM = discriminator('redeem_reserve_collateral')

/** Anchor programs identify instructions by a hash of their name. */
function discriminator(name: string): Buffer {
  return createHash('sha256').update(`global:${name}`).digest().subarray(0, 8)
}

/**
 * The reserve refresh that Kamino requires in the same transaction. Oracles need no check: the program rejects any but
 * its configured ones and only reads them.
 */
export function checkRefresh({ program, accounts, data }: SolanaInstruction, venue: KaminoVenue, signer: string): void {
  refuseUnless(
    program === venue.program && data.equals(REFRESH) && accounts.length === 6 && !accounts.includes(signer),
    'SOMETHING_ELSE',
    'the first instruction does not refresh a reserve',
  )
  refuseUnless(
    sameAccounts(accounts.slice(0, 2), [venue.reserve, venue.lendingMarket]),
    'SOMETHING_ELSE',
    'the refreshed reserve is not the one used',
  )
}

/** A deposit into a Kamino Lend reserve or a redemption of its shares, on the wallet's own accounts. */
export async function readKamino(
  instruction: SolanaInstruction,
  venue: KaminoVenue,
  intent: Intent,
  { token, amount }: { readonly token: TokenRule; readonly amount: bigint },
): Promise<Pick<Meaning, 'does' | 'amount' | 'shares'>> {
  const { accounts, data } = instruction
  const [authority, tokens, shares] = await Promise.all([
    kaminoAuthorityOf(venue.program, venue.lendingMarket),
    tokenAccountOf(intent.signer, token.address),
    tokenAccountOf(intent.signer, venue.collateralMint),
  ])
  const { reserve, lendingMarket, supplyVault, collateralMint } = venue
  const tail = [TOKEN_PROGRAM, TOKEN_PROGRAM, INSTRUCTIONS_SYSVAR]
  const known = {
    deposit: [reserve, lendingMarket, authority, token.address, supplyVault, collateralMint, tokens, shares, ...tail],
    redeem: [lendingMarket, reserve, authority, token.address, collateralMint, supplyVault, shares, tokens, ...tail],
  }
  const tag = data.subarray(0, 8)
  const does = tag.equals(DEPOSIT) ? 'deposit' : tag.equals(REDEEM) ? 'redeem' : undefined
  if (does === undefined || data.length !== 16) throw new Refusal('UNKNOWN_METHOD', 'the Kamino instruction is unknown')
  refuseUnless(
    sameAccounts(accounts, [intent.signer, ...known[does]]),
    'WRONG_BENEFICIARY',
    "the accounts of the instruction are not the reserve's and the wallet's own",
  )
  const value = data.readBigUInt64LE(8)
  if (does === 'deposit') {
    expectSupply(intent)
    expectAmount('the deposit', value, amount)
    return { does: 'supply', amount, shares: null }
  }
  expectUnwind(intent)
  if (intent.full === true) {
    requireCounted(value)
    return { does: 'withdraw', amount: null, shares: value }
  }
  boundShares(value, amount, venue, 'the withdrawal')
  return { does: 'withdraw', amount, shares: value }
}
