import type { ShareVaultVenue, TokenRule } from '../allow-list.ts'
import { expectAmount, expectSupply, expectUnwind } from '../expect-intent.ts'
import type { Intent, Meaning } from '../intent.ts'
import { Refusal, refuseUnless } from '../refusal.ts'
import { TOKEN_PROGRAM, tokenAccountOf } from './addresses.ts'
import { sameAccounts } from './frame.ts'
import type { SolanaInstruction } from './read.ts'
import { boundShares } from './shares.ts'

const DEPOSIT = 1
const REDEEM = 2

/** A deposit or a redemption of a share vault: one instruction, `{tag, u64, u64}`, on the wallet's own accounts. */
export async function readShareVault(
  instruction: SolanaInstruction,
  venue: ShareVaultVenue,
  intent: Intent,
  { token, amount }: { readonly token: TokenRule; readonly amount: bigint },
): Promise<Pick<Meaning, 'does' | 'amount' | 'shares'>> {
  const [tokens, shares] = await Promise.all([
    tokenAccountOf(intent.signer, token.address),
    tokenAccountOf(intent.signer, venue.shareMint),
  ])
  const { vault, shareMint, liquidity } = venue
  const expected = [intent.signer, vault, token.address, shareMint, liquidity, tokens, shares, TOKEN_PROGRAM]
  refuseUnless(
    sameAccounts(instruction.accounts, expected),
    'WRONG_BENEFICIARY',
    "the accounts of the instruction are not the vault's and the wallet's own",
  )
  const { data } = instruction
  refuseUnless(
    data.length === 17,
    'UNKNOWN_METHOD',
    `an instruction of ${data.length} bytes is not an instruction of a share vault`,
  )
  const [first, second] = [data.readBigUInt64LE(1), data.readBigUInt64LE(9)]
  if (data[0] === DEPOSIT) return deposit(first, second, { venue, intent, amount })
  if (data[0] === REDEEM) return redemption(first, second, { venue, intent, amount })
  throw new Refusal('UNKNOWN_METHOD', `instruction ${data[0]} of a share vault is unknown`)
}

function deposit(
  found: bigint,
  leastShares: bigint,
  { venue, intent, amount }: { readonly venue: ShareVaultVenue; readonly intent: Intent; readonly amount: bigint },
) {
  expectSupply(intent)
  expectAmount('the deposit', found, amount)
  boundShares(leastShares, amount, venue, 'the minimum of the deposit')
  return { does: 'supply', amount, shares: leastShares } as const
}

function redemption(
  shares: bigint,
  leastAmount: bigint,
  { venue, intent, amount }: { readonly venue: ShareVaultVenue; readonly intent: Intent; readonly amount: bigint },
) {
  expectUnwind(intent)
  if (intent.full === true) return { does: 'withdraw', amount: null, shares } as const
  expectAmount('the minimum of the withdrawal', leastAmount, amount)
  boundShares(shares, amount, venue, 'the withdrawal')
  return { does: 'withdraw', amount, shares } as const
}
