import { createHash } from 'node:crypto'
import type { JupiterLendVenue, TokenRule } from '../allow-list.ts'
import { expectAmount, expectSupply, expectUnwind } from '../expect-intent.ts'
import type { Intent, Meaning } from '../intent.ts'
import { Refusal, refuseUnless } from '../refusal.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  jupiterAccountsOf,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccountOf,
} from './addresses.ts'
import { sameAccounts } from './frame.ts'
import type { SolanaInstruction } from './read.ts'
import { requireCounted } from './shares.ts'

const NAMES = ['deposit', 'withdraw', 'redeem'] as const

/** Anchor programs identify instructions by a hash of their name. */
const TAGS = new Map(NAMES.map((name) => [tagOf(name), name]))

function tagOf(name: string): string {
  return createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16)
}

/**
 * A deposit into a market of Jupiter Lend, or a withdrawal from it, on the wallet's own accounts. A withdrawal of an
 * amount pays exactly that; shares are redeemed for everything only.
 */
export async function readJupiterLend(
  { accounts, data }: SolanaInstruction,
  venue: JupiterLendVenue,
  intent: Intent,
  { token, amount }: { readonly token: TokenRule; readonly amount: bigint },
): Promise<Pick<Meaning, 'does' | 'amount' | 'shares'>> {
  const name = TAGS.get(data.subarray(0, 8).toString('hex'))
  if (name === undefined || data.length !== 16)
    throw new Refusal('UNKNOWN_METHOD', 'the instruction of Jupiter Lend is unknown')
  refuseUnless(
    sameAccounts(accounts, await accountsOf(name, venue, { signer: intent.signer, token: token.address })),
    'WRONG_BENEFICIARY',
    "the accounts of the instruction are not the market's and the wallet's own",
  )
  const value = data.readBigUInt64LE(8)
  if (name === 'deposit') {
    expectSupply(intent)
    expectAmount('the deposit', value, amount)
    return { does: 'supply', amount, shares: null }
  }
  expectUnwind(intent)
  if (name === 'redeem') {
    refuseUnless(
      intent.full === true,
      'WRONG_AMOUNT',
      'the transaction withdraws shares instead of the approved amount',
    )
    requireCounted(value)
    return { does: 'withdraw', amount: null, shares: value }
  }
  expectAmount('the withdrawal', value, amount)
  return { does: 'withdraw', amount, shares: null }
}

async function accountsOf(
  name: (typeof NAMES)[number],
  venue: JupiterLendVenue,
  { signer, token }: { readonly signer: string; readonly token: string },
): Promise<string[]> {
  const [market, tokens, shares] = await Promise.all([
    jupiterAccountsOf(venue, token),
    tokenAccountOf(signer, token),
    tokenAccountOf(signer, venue.shareMint),
  ])
  const { lendingAdmin, reserve, position, rateModel, vault, claim, liquidity, rewards } = market
  const { lending, shareMint, liquidityProgram } = venue
  const pool = [shareMint, reserve, position, rateModel, vault]
  const programs = [TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM]
  const tail = [liquidity, liquidityProgram, rewards, ...programs]
  return name === 'deposit'
    ? [signer, tokens, shares, token, lendingAdmin, lending, ...pool, ...tail]
    : [signer, shares, tokens, lendingAdmin, lending, token, ...pool, claim, ...tail]
}
