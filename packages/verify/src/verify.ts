import type { AllowList, TokenRule } from './allow-list.ts'
import { verifyEvm } from './evm/verify-evm.ts'
import { baseUnits, decimalText, type Envelope, type Intent, type Meaning } from './intent.ts'
import { Refusal, type RefusalCode, refuseUnless } from './refusal.ts'
import { verifySolana } from './solana/verify-solana.ts'

export type Verdict =
  | {
      readonly ok: true
      readonly meaning: Meaning
      readonly envelope: Envelope
      /** Base units that the bytes move at most: the approved amount, or the measured one if it is higher. */
      readonly moves: bigint
    }
  | { readonly ok: false; readonly code: RefusalCode; readonly reason: string }

/**
 * Reads from the chain how many base units a verified withdrawal would pay out now. `verify` calls it only when the bytes
 * do not say: for whole positions, and for shares, as on Solana and of ERC-7540 vaults. What it throws, `verify` throws.
 */
export type Measure = (meaning: Meaning) => Promise<bigint>

/** How much more than the approved amount shares may pay out: they gain value between plan and signature. */
const GROWTH = { perCent: 1n, units: 10n }

/**
 * Decides whether unsigned bytes do what was approved and nothing else (rule 10). Reads every byte and refuses whatever it
 * does not understand. Without `measure` it queries nothing. Then two withdrawals are refused whose bytes do not say how
 * much they pay out: a whole position where the token has a `maxAmount`, and a part that an ERC-7540 vault states in
 * shares; on Solana the number of shares is only bounded. `unsigned` as the service issues it: hex of an EIP-1559
 * transaction, or base64 of a version-0 Solana transaction.
 */
export async function verify(unsigned: string, intent: Intent, list: AllowList, measure?: Measure): Promise<Verdict> {
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
    return {
      ok: true,
      ...found,
      moves: await measuredAmount(found.meaning, { ...asked, family: rules.family }, measure),
    }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, code: error.code, reason: error.message }
    throw error
  }
}

async function measuredAmount(
  meaning: Meaning,
  { token, amount, family }: { readonly token: TokenRule; readonly amount: bigint; readonly family: 'evm' | 'svm' },
  measure: Measure | undefined,
): Promise<bigint> {
  const isWhole = meaning.amount === null
  const isExact = !isWhole && (meaning.does !== 'withdraw' || meaning.shares === null)
  if (isExact) return meaning.amount
  if (measure === undefined) {
    refuseUnless(
      !isWhole || token.maxAmount === null,
      'OVER_LIMIT',
      `the list limits ${token.symbol} in one transaction, and the amount of the whole position is not known`,
    )
    refuseUnless(
      isWhole || family !== 'evm',
      'WRONG_AMOUNT',
      `the bytes name ${meaning.shares} shares, and without \`measure\` nobody knows what they pay out`,
    )
    return amount
  }
  const found = await measure(meaning)
  const text = `${decimalText(found, token.decimals)} ${token.symbol}`
  if (isWhole) {
    refuseUnless(
      token.maxAmount === null || found <= token.maxAmount,
      'OVER_LIMIT',
      `the whole position is ${text}, which is more than the list allows in one transaction`,
    )
  } else {
    refuseUnless(
      found <= amount + (amount * GROWTH.perCent) / 100n + GROWTH.units,
      'WRONG_AMOUNT',
      `the shares pay out ${text}, the approved amount is ${decimalText(amount, token.decimals)}`,
    )
  }
  return found > amount ? found : amount
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
      Object.hasOwn(STEPS, step) && STEPS[step]!.includes(does),
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
