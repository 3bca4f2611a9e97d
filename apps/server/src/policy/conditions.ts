import { isOutsideHours } from './hours.ts'
import type { PolicyConditions } from './policy.ts'

/**
 * What is known of a move. A fact that is absent, or makes no sense, is unknown. One call judges one move whole: when it
 * is made of several parts, `amount` is their sum (contract 7).
 */
export interface PolicyInput {
  readonly type?: 'SUPPLY' | 'UNWIND' | undefined
  readonly amount?: { readonly baseUnits: bigint; readonly decimals: number } | undefined
  readonly walletId?: number | undefined
  /** As the surfaces show it: `self` for a wallet that names none. */
  readonly custodyProvider?: string | undefined
  /** The one counterparty of the move under all its names: venue, protocol, addresses of contracts. */
  readonly counterparties?: readonly string[] | undefined
  readonly at?: Date | undefined
}

export type ConditionName = keyof PolicyConditions

/** What a condition must know, in words. */
export const INPUT_LABELS: Readonly<Record<ConditionName, string>> = {
  amountAtLeast: 'the amount',
  walletIds: 'the wallet',
  custodyProviders: 'the custody provider',
  types: 'the type',
  outsideHours: 'the time',
  counterparties: 'the counterparty',
}

type ConditionEvaluator<Name extends ConditionName> = (
  wanted: NonNullable<PolicyConditions[Name]>,
  facts: PolicyInput,
) => boolean | undefined

const CONDITION_EVALUATORS: { readonly [Name in ConditionName]-?: ConditionEvaluator<Name> } = {
  amountAtLeast: (wanted, { amount }) => (amount === undefined ? undefined : isAtLeast(amount, wanted)),
  walletIds: (wanted, { walletId }) => (walletId === undefined ? undefined : wanted.includes(walletId)),
  custodyProviders: (wanted, { custodyProvider }) =>
    custodyProvider === undefined ? undefined : includesName(wanted, custodyProvider),
  types: (wanted, { type }) => (type === undefined ? undefined : wanted.includes(type)),
  outsideHours: (wanted, { at }) =>
    at === undefined || Number.isNaN(at.getTime()) ? undefined : isOutsideHours(wanted, at),
  counterparties: (wanted, { counterparties = [] }) =>
    counterparties.length === 0 ? undefined : counterparties.some((name) => includesName(wanted, name)),
}

/** Whether one condition holds; `undefined` when the facts do not tell, or the condition is one that nobody knows. */
export function conditionHolds(name: ConditionName, when: PolicyConditions, facts: PolicyInput): boolean | undefined {
  const judge = CONDITION_EVALUATORS[name] as ConditionEvaluator<ConditionName> | undefined
  const wanted = when[name]
  return judge === undefined || wanted === undefined ? undefined : judge(wanted, facts)
}

/** Names of people's making are compared without regard to case; so are addresses, whose case is only a checksum. */
function includesName(names: readonly string[], name: string): boolean {
  const folded = name.trim().toLowerCase()
  return names.some((one) => one.trim().toLowerCase() === folded)
}

/** Compares an amount with a decimal text exactly, whatever the token's decimals. */
function isAtLeast(amount: { baseUnits: bigint; decimals: number }, wanted: string): boolean | undefined {
  const { baseUnits, decimals } = amount
  if (baseUnits < 0n || !Number.isInteger(decimals) || decimals < 0 || decimals > 255) return undefined
  const match = DECIMAL_PATTERN.exec(wanted)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  return baseUnits * 10n ** BigInt(fraction.length) >= BigInt(whole + fraction) * 10n ** BigInt(decimals)
}

/** Long enough for every amount that a chain can hold, and as fine as any token. */
export const DECIMAL_PATTERN = /^([0-9]{1,78})(?:\.([0-9]{1,18}))?$/
