import { expect, test } from 'vitest'
import { type SourceFile, serverSource } from '../testing/source/source-tree.ts'

/**
 * The files below the surfaces that have amounts as text, with what is written or read there (ADR 190). Everywhere else,
 * an amount is a `bigint` of base units.
 */
const MONEY_TEXT: Readonly<Record<string, string>> = {
  'allocations/exits/exit-event-payloads.ts': 'the payloads of events, which webhooks deliver',
  'allocations/positions/allocation-event-payloads.ts': 'the payloads of events, which webhooks deliver',
  'breakers/breaker-event.ts': 'the payload of an event: a percentage, not an amount',
  'breakers/breaker.ts': 'a reason that people read: a percentage, not an amount',
  'chains/solana/wire.ts': 'the responses of Solana nodes',
  'config/setting-parsers.ts': 'settings, which become digits and their scale',
  'identity/mail/mail-content.ts': 'the emails to approvers',
  'operations/approval/notify-of-operations.ts': 'the emails to approvers',
  'operations/lifecycle/transitions/advance-operations.ts': 'JSON of a statement: base units beyond 2^53',
  'operations/lifecycle/records/operation-event-data.ts': 'JSON of the outbox: base units beyond 2^53',
  'operations/planning/read-planning-state.ts': 'JSON of a statement: base units beyond 2^53',
  'operations/views/operation-event-payload.ts': 'the payloads of events, which webhooks deliver',
  'policy/conditions.ts': 'stored policies, whose amounts have no token; compared as bigint',
  'policy/index.ts': 'exports the pattern of a policy’s amounts to the surfaces',
  'policy/parse-policy.ts': 'stored policies, whose amounts have no token',
  'policy/policy.ts': 'stored policies, whose amounts have no token',
  'ramp/bridge/amounts.ts': 'the API of a banking partner',
  'ramp/bridge/drain.ts': 'the API of a banking partner',
  'ramp/bridge/virtual-account-activity.ts': 'the API of a banking partner',
  'ramp/bridge/virtual-account.ts': 'the API of a banking partner',
  'ramp/transactions/transaction.ts': 'the payloads of events, which webhooks deliver',
  'rebalancing/awaited/awaited-withdrawal.ts': 'JSON of a statement: base units beyond 2^53',
  'rebalancing/state/read-wallet-states.ts': 'JSON of a statement: base units beyond 2^53',
  'venues/format-amount.ts': 'the descriptions of transactions, which signers read',
}

const below = serverSource().filter(({ path }) => !/^(surfaces|kernel)\//.test(path))

test('amounts are base units below the surfaces: only the files named here have their text', () => {
  const texts = below.filter(hasMoneyText).map(({ path }) => path)
  expect(texts.toSorted()).toEqual(Object.keys(MONEY_TEXT).toSorted())
})

test('nothing below the surfaces is given a function that reads or writes amounts', () => {
  const given = below.filter(({ text }) => /\(\w+: bigint\) => string\b|=> bigint\)/.test(text))
  expect(given.map(({ path }) => path)).toEqual([])
})

test('the rule finds functions, patterns, rounding and types', () => {
  for (const text of [
    'formatDecimal(amount, 6)',
    'parseAmount(text)',
    'share.toFixed(2)',
    String.raw`/^([0-9]+)(?:\.([0-9]+))?$/`,
    'interface A { readonly amountAtLeast?: string }',
    'interface A { payout_amount: string | null }',
  ])
    expect(hasMoneyText({ text }), text).toBe(true)
  for (const text of ['const amount = 1n', 'interface A { amount: bigint }', 'tokenAmountOf(amount: bigint): string'])
    expect(hasMoneyText({ text }), text).toBe(false)
})

/** The functions that read or write amounts, the pattern of a decimal, rounding to digits, and amounts of type string. */
function hasMoneyText({ text }: Pick<SourceFile, 'text'>): boolean {
  return [
    /\b(?:parseBaseUnits|parseDecimal|formatDecimal|formatUsd|parseAmount|DECIMAL_PATTERN)\b/,
    /\.toFixed\(/,
    /\(\?:\\\.\(/,
    /\b\w*amount\w*\??: string\b/i,
  ].some((pattern) => pattern.test(text))
}
