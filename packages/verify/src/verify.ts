import type { AllowList } from './allow-list.ts'
import { verifyEvm } from './evm/verify-evm.ts'
import { baseUnits, type Envelope, type Intent, type Meaning } from './intent.ts'
import { Refusal, type RefusalCode, refuseUnless } from './refusal.ts'
import { verifySolana } from './solana/verify-solana.ts'

export type Verdict =
  | { readonly ok: true; readonly meaning: Meaning; readonly envelope: Envelope }
  | { readonly ok: false; readonly code: RefusalCode; readonly reason: string }

/**
 * Decides whether unsigned bytes do what was approved and nothing else (rule 10). Reads every byte and refuses whatever it
 * does not understand. Pure: queries no chain and no service. `unsigned` as the service issues it: hex of an EIP-1559
 * transaction, or base64 of a version-0 Solana transaction.
 */
export async function verify(unsigned: string, intent: Intent, list: AllowList): Promise<Verdict> {
  try {
    const rules = list.chains.find(({ blockchain }) => blockchain === intent.blockchain)
    refuseUnless(rules !== undefined, 'UNKNOWN_CHAIN', `${intent.blockchain} is not on the list`)
    refuseUnless(
      intent.type === 'SUPPLY' || intent.type === 'UNWIND',
      'WRONG_STEP',
      `${intent.type} is not a known operation`,
    )
    const token = rules.tokens.find(({ symbol }) => symbol === intent.token)
    refuseUnless(token !== undefined, 'UNKNOWN_TOKEN', `${intent.token} is not listed on ${intent.blockchain}`)
    const amount = baseUnits(intent.amount, token.decimals)
    refuseUnless(
      amount !== undefined && amount > 0n,
      'WRONG_AMOUNT',
      `${intent.amount} is not an amount of ${token.symbol}`,
    )
    refuseUnless(
      token.maxAmount === null || amount <= token.maxAmount,
      'OVER_LIMIT',
      `${intent.amount} ${token.symbol} is more than the list allows in one transaction`,
    )
    const asked = { token, amount }
    const found =
      rules.family === 'evm'
        ? verifyEvm(unsigned, intent, rules, asked)
        : await verifySolana(unsigned, intent, rules, asked)
    checkPlace(found.meaning, intent)
    return { ok: true, ...found }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, code: error.code, reason: error.message }
    throw error
  }
}

const STEPS: Readonly<Record<string, readonly Meaning['does'][]>> = {
  APPROVE_TOKEN: ['approve', 'reset-approval'],
  SUPPLY_TO_PROVIDER: ['supply'],
  UNWIND_FROM_PROVIDER: ['withdraw'],
}

/** Requires the step that the transaction claims to be, at the venue where the operation began. */
function checkPlace({ does, venue, protocol }: Meaning, { step, protocol: said, venue: begunAt }: Intent): void {
  if (step !== undefined) {
    refuseUnless(
      STEPS[step]?.includes(does) === true,
      'WRONG_STEP',
      `the transaction is labelled ${step}, but its effect is ${does}`,
    )
  }
  refuseUnless(
    said === undefined || said === protocol,
    'UNKNOWN_VENUE',
    `the operation is labelled ${said}, but this transaction uses ${protocol}`,
  )
  refuseUnless(
    begunAt === undefined || begunAt === venue,
    'UNKNOWN_VENUE',
    `the operation began at ${begunAt}, this transaction is for ${venue}`,
  )
}
