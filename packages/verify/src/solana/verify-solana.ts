import type { SolanaRules, SolanaVenue, TokenRule } from '../allow-list.ts'
import type { Envelope, Intent, Meaning } from '../intent.ts'
import { refuseUnless } from '../refusal.ts'
import { readFrame, withoutAccountCreation } from './frame.ts'
import { readJupiterLend } from './jupiter-lend.ts'
import { checkRefresh, readKamino } from './kamino.ts'
import { readSolana, type SolanaInstruction } from './read.ts'
import { readShareVault } from './share-vault.ts'
import { venueAccountOf } from './venue-account.ts'

/**
 * Returns the meaning of a transaction that matches the intent exactly. Throws Refusal. The bytes name their cluster
 * only by a recent blockhash; the agent checks separately that its node serves the listed cluster.
 */
export async function verifySolana(
  unsigned: string,
  intent: Intent,
  rules: SolanaRules,
  asked: { readonly token: TokenRule; readonly amount: bigint },
): Promise<{ meaning: Meaning; envelope: Envelope }> {
  const transaction = readSolana(unsigned)
  const { signer, blockhash } = transaction
  refuseUnless(
    signer === intent.signer,
    'WRONG_SIGNER',
    `the transaction is signed by ${signer}, the wallet is ${intent.signer}`,
  )
  const { inner, maxCost } = readFrame(transaction, intent.transactionId, rules)
  const { token } = asked
  const venueStep = inner.at(-1)
  refuseUnless(venueStep !== undefined, 'SOMETHING_ELSE', 'the transaction does nothing')
  const venue = rules.venues.find((one) => one.token === token.symbol && isAt(one, venueStep))
  refuseUnless(venue !== undefined, 'UNKNOWN_VENUE', `the transaction uses no listed venue of ${token.symbol}`)
  const receives = intent.type === 'SUPPLY' ? shareMintOf(venue) : token.address
  const { rest, rent } = await withoutAccountCreation(inner, signer, receives)
  const found = await deal(rest, venue, intent, asked)
  const { blockchain } = intent
  return {
    meaning: { blockchain, signer, venue: venue.name, protocol: venue.protocol, token: token.address, ...found },
    envelope: { family: 'svm', blockhash, maxCost, rent },
  }
}

function isAt(venue: SolanaVenue, { program, accounts }: SolanaInstruction): boolean {
  return venue.program === program && accounts.includes(venueAccountOf(venue))
}

function shareMintOf(venue: SolanaVenue): string {
  return venue.protocol === 'kamino' ? venue.collateralMint : venue.shareMint
}

async function deal(
  inner: readonly SolanaInstruction[],
  venue: SolanaVenue,
  intent: Intent,
  asked: { readonly token: TokenRule; readonly amount: bigint },
) {
  const expected = venue.protocol === 'kamino' ? 2 : 1
  refuseUnless(
    inner.length === expected,
    'SOMETHING_ELSE',
    `the transaction has ${inner.length} instructions where ${expected} are expected`,
  )
  const [first, last] = [inner[0]!, inner.at(-1)!]
  if (venue.protocol === 'share-vault') return readShareVault(last, venue, intent, asked)
  if (venue.protocol === 'jupiter-lend') return readJupiterLend(last, venue, intent, asked)
  checkRefresh(first, venue, intent.signer)
  return readKamino(last, venue, intent, asked)
}
