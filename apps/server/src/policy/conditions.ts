import { isOutsideHours } from './hours.ts'
import type { PolicyConditions } from './policy.ts'

/**
 * The known facts of a move. A fact that is absent or invalid is unknown. Each call decides one whole move: if it has
 * several parts, `amount` is their sum (contract 7).
 */
export interface PolicyInput {
  readonly type?: 'SUPPLY' | 'UNWIND' | undefined
  readonly amount?: { readonly baseUnits: bigint; readonly decimals: number } | undefined
  readonly walletId?: number | undefined
  /** As the surfaces present it: `self` for a wallet that names none. */
  readonly custodyProvider?: string | undefined
  /** The counterparty of the move under all its names: venue, protocol, contract addresses. */
  readonly counterparties?: readonly string[] | undefined
  readonly at?: Date | undefined
}

export type ConditionName = keyof PolicyConditions

/** The fact that each condition needs, in words. */
export const INPUT_LABELS: Readonly<Record<ConditionName, string>> = {
  amountAtLeast: 'the amount',
  walletIds: 'the wallet',
  custodyProviders: 'the custody provider',
  types: 'the type',
  outsideHours: 'the time',
  counterparties: 'the counterparty',
}

type ConditionEvaluator<Name extends ConditionName> = (
  required: NonNullable<PolicyConditions[Name]>,
  input: PolicyInput,
) => boolean | undefined

const CONDITION_EVALUATORS: { readonly [Name in ConditionName]-?: ConditionEvaluator<Name> } = {
  amountAtLeast: (required, { amount }) => (amount === undefined ? undefined : isAtLeast(amount, required)),
  walletIds: (required, { walletId }) => (walletId === undefined ? undefined : required.includes(walletId)),
  custodyProviders: (required, { custodyProvider }) =>
    custodyProvider === undefined ? undefined : comparedNames(required).has(comparedName(custodyProvider)),
  types: (required, { type }) => (type === undefined ? undefined : required.includes(type)),
  outsideHours: (required, { at }) =>
    at === undefined || Number.isNaN(at.getTime()) ? undefined : isOutsideHours(required, at),
  counterparties: (required, { counterparties = [] }) =>
    counterparties.length === 0 ? undefined : haveCommon(comparedNames(required), comparedNames(counterparties)),
}

/** Whether one condition holds; `undefined` when its fact is unknown, or the condition itself is. */
export function conditionHolds(name: ConditionName, when: PolicyConditions, input: PolicyInput): boolean | undefined {
  const evaluate = CONDITION_EVALUATORS[name] as ConditionEvaluator<ConditionName> | undefined
  const required = when[name]
  return evaluate === undefined || required === undefined ? undefined : evaluate(required, input)
}

const CONDITION_TEXTS: {
  readonly [Name in ConditionName]-?: (required: NonNullable<PolicyConditions[Name]>) => string
} = {
  amountAtLeast: (least) => `the amount is at least ${least}`,
  walletIds: (ids) => `the wallet is ${oneOf(ids.map(String))}`,
  custodyProviders: (names) => `the custody provider is ${oneOf(names)}`,
  types: (types) => `it is ${oneOf(types)}`,
  outsideHours: ({ from, to, timezone }) => `it is outside ${from} to ${to} ${timezone}`,
  counterparties: (names) => `the counterparty is ${oneOf(names)}`,
}
const NAMES_SHOWN = 3

/** A condition that holds, in words. */
export function conditionText(name: ConditionName, when: PolicyConditions): string {
  const textOf = CONDITION_TEXTS[name] as (required: unknown) => string
  return textOf(when[name])
}

const oneOf = (names: readonly string[]): string =>
  names.length > NAMES_SHOWN ? `one of ${names.length} in the rule` : names.join(' or ')

/** Human-chosen names are compared case-insensitively; so are addresses, whose case is only a checksum. */
const comparedName = (name: string): string => name.trim().toLowerCase()

/** What each list of names is compared as: a policy has up to 50,000 names, and one move is compared with all of them. */
const COMPARED = new WeakMap<readonly string[], ReadonlySet<string>>()

function comparedNames(names: readonly string[]): ReadonlySet<string> {
  const known = COMPARED.get(names)
  if (known !== undefined) return known
  const compared = new Set(names.map(comparedName))
  COMPARED.set(names, compared)
  return compared
}

function haveCommon(required: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  for (const name of names) if (required.has(name)) return true
  return false
}

/** Compares an amount with decimal text exactly, for any number of decimals. */
function isAtLeast(amount: { baseUnits: bigint; decimals: number }, required: string): boolean | undefined {
  const { baseUnits, decimals } = amount
  if (baseUnits < 0n || !Number.isInteger(decimals) || decimals < 0 || decimals > 255) return undefined
  const match = DECIMAL_PATTERN.exec(required)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  return baseUnits * 10n ** BigInt(fraction.length) >= BigInt(whole + fraction) * 10n ** BigInt(decimals)
}

/** Covers every amount that a chain can hold, as fine as any token. */
export const DECIMAL_PATTERN = /^([0-9]{1,78})(?:\.([0-9]{1,18}))?$/
