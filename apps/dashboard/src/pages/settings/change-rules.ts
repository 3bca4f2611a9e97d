import type { Schema } from '../../api/types.ts'

export type ChangeRules = Schema<'ChangePolicy'>['rules']

export const APPROVALS_MAX = 5

interface Kind {
  readonly kind: keyof ChangeRules
  readonly title: string
  readonly about: string
}

/** Every kind of change, in the order in which it is shown. */
export const KINDS: readonly Kind[] = [
  {
    kind: 'approval_policy',
    title: 'Approval policy',
    about: 'Also limits on deposits, circuit breakers, and whether approvals are signed',
  },
  {
    kind: 'change_policy',
    title: 'Change policy',
    about: 'At least the most approvals and the longest wait of all kinds',
  },
  { kind: 'members', title: 'Members', about: 'People, roles, passwords of others, identity providers, security' },
  { kind: 'keys', title: 'Keys', about: 'Creating and rotating API keys and secrets of service accounts' },
  { kind: 'webhooks', title: 'Webhooks', about: 'Creating a webhook, changing its URL' },
  { kind: 'payout_accounts', title: 'Payout accounts', about: 'Recipients, and bank accounts to pay out to' },
  { kind: 'onramp_destinations', title: 'Accounts for payments in', about: 'Where tokens of payments arrive' },
  { kind: 'destinations', title: 'Destinations', about: 'The allow-list of addresses that tokens may be sent to' },
]

const WAITS: readonly (readonly [number, string])[] = [
  [0, 'none'],
  [3_600, 'an hour'],
  [86_400, 'a day'],
  [259_200, '3 days'],
  [604_800, 'a week'],
  [2_592_000, '30 days'],
]

/** How long a change may wait; a time that was set otherwise is a choice, too. */
export function coolingOffChoices(seconds: number): { readonly value: string; readonly label: string }[] {
  const known = WAITS.some(([each]) => each === seconds)
  return [...(known ? [] : [[seconds, `${seconds} s`] as const]), ...WAITS].map(([value, label]) => ({
    value: String(value),
    label,
  }))
}

export const isSame = (a: ChangeRules, b: ChangeRules): boolean =>
  KINDS.every(
    ({ kind }) =>
      a[kind].requiredApprovals === b[kind].requiredApprovals &&
      a[kind].coolingOffSeconds === b[kind].coolingOffSeconds,
  )
