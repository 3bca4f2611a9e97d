import type { Schema } from '../../api/types.ts'
import { grouped, isAmount, plain, toBaseUnits } from '../../lib/money/money.ts'

export type When = Schema<'PolicyRule'>['when']
export type ConditionName = keyof When
export type Hours = NonNullable<When['outsideHours']>

/** As fine as any token. */
const AMOUNT_DECIMALS = 18
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Every condition that a rule can have, in the order in which it is shown. */
export const CONDITIONS = {
  amountAtLeast: 'From an amount',
  types: 'Type of operation',
  walletIds: 'Wallets',
  custodyProviders: 'Custody providers',
  counterparties: 'Counterparties',
  outsideHours: 'Outside hours',
} as const satisfies Readonly<Record<ConditionName, string>>
export const CONDITION_NAMES = Object.keys(CONDITIONS) as ConditionName[]

/** How a condition begins that somebody adds. */
export function begun(name: ConditionName): When {
  if (name === 'amountAtLeast') return { amountAtLeast: '10000.00' }
  if (name === 'types') return { types: ['UNWIND'] }
  if (name === 'outsideHours') {
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
    return { outsideHours: { timezone, from: '08:00', to: '18:00', days: DAYS.slice(0, 5) } }
  }
  return { [name]: [] }
}

export const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text)

/** Whether the service would take the condition. */
export function isComplete(name: ConditionName, when: When): boolean {
  const value = when[name]
  if (name === 'amountAtLeast')
    return toBaseUnits(String(value), AMOUNT_DECIMALS) !== undefined && !/,/.test(String(value))
  if (name !== 'outsideHours') return (value as readonly unknown[]).length > 0
  const { from, to, days, timezone } = value as Hours
  return timezone !== '' && isTime(from) && from !== '24:00' && isTime(to) && days.length > 0
}

/** A day of stored hours, which may be a number or a whole name, as the form shows it. */
export function dayName(day: string | number): (typeof DAYS)[number] | undefined {
  if (typeof day === 'number') return DAYS[(day + 6) % 7]
  return DAYS.find((each) => day.toLowerCase().startsWith(each))
}

const TEXTS: { readonly [Name in ConditionName]-?: (value: NonNullable<When[Name]>) => string } = {
  amountAtLeast: (amount) => `from ${isAmount(amount, AMOUNT_DECIMALS) ? grouped(plain(amount)) : amount}`,
  types: (types) => types.map((type) => (type === 'SUPPLY' ? 'deposits' : 'withdrawals')).join(' and '),
  walletIds: (ids) => `${ids.length === 1 ? 'wallet' : 'wallets'} ${ids.join(', ')}`,
  custodyProviders: (names) => `held by ${names.join(' or ')}`,
  counterparties: (names) => `at ${names.join(' or ')}`,
  outsideHours: ({ from, to, timezone, days }) =>
    `outside ${from} to ${to} ${timezone} on ${days.map((day) => dayName(day) ?? day).join(', ')}`,
}

/** The conditions of a rule in one line. */
export function whenText(when: When): string {
  const held = CONDITION_NAMES.filter((name) => when[name] !== undefined)
  const texts = held.map((name) => (TEXTS[name] as (value: unknown) => string)(when[name]))
  return texts.length === 0 ? 'any operation' : texts.join(', ')
}
