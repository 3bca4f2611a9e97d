import type { Schema } from '../../api/types.ts'
import { words } from '../../lib/text/words.ts'
import { whenText } from './conditions.ts'

export type Version = Schema<'ApprovalPolicyVersion'>
/** What a policy says, without who set it and when. */
export type PolicyContent = Schema<'ApprovalPolicy'>
export type Rule = Schema<'PolicyRule'>

export const contentOf = ({
  mode,
  rules,
  default: byDefault,
  requiredApprovals,
  requesterMayApprove,
}: PolicyContent): PolicyContent => ({
  mode,
  rules,
  default: byDefault,
  requiredApprovals,
  requesterMayApprove,
})

/** As the page's switch names them. */
export const MODES = { automatic: 'Automatic', conditional: 'By rules', manual: 'Always ask' } as const
const DEFAULTS = { approve: 'proceed', require_approval: 'ask' } as const

/** What happens to an operation for which no rule holds; only by rules does the default decide. */
function otherwise({ mode, default: byDefault }: PolicyContent): string {
  if (mode === 'conditional') return DEFAULTS[byDefault]
  return DEFAULTS[mode === 'automatic' ? 'approve' : 'require_approval']
}

const yesNo = (value: boolean | undefined) => (value ? 'yes' : 'no')

/** What changes from one policy to another, a line each. A rule is known by its name, which is unique. */
export function differences(before: PolicyContent, after: PolicyContent): string[] {
  const lines: string[] = []
  const compare = (what: string, old: string | number, next: string | number) => {
    if (old !== next) lines.push(`${what}: ${old} → ${next}`)
  }
  compare('Mode', MODES[before.mode], MODES[after.mode])
  compare('Approvals required', before.requiredApprovals, after.requiredApprovals)
  compare(
    'Requesters may approve their own operations',
    yesNo(before.requesterMayApprove),
    yesNo(after.requesterMayApprove),
  )
  if (before.mode === 'conditional' || after.mode === 'conditional')
    compare('All other operations', otherwise(before), otherwise(after))
  else compare('All other operations, by rules', DEFAULTS[before.default], DEFAULTS[after.default])
  const known = new Map(before.rules.map((rule) => [rule.name, rule]))
  for (const rule of after.rules) {
    const old = known.get(rule.name)
    if (old === undefined) lines.push(`New rule “${rule.name}”: ${sentence(rule)}`)
    else compare(`Rule “${rule.name}”`, sentence(old), sentence(rule))
    known.delete(rule.name)
  }
  for (const rule of known.values()) lines.push(`Without the rule “${rule.name}”: ${sentence(rule)}`)
  const kept = (rules: readonly Rule[], others: readonly Rule[]) =>
    rules.filter(({ name }) => others.some((each) => each.name === name)).map(({ name }) => name)
  compare('Order', kept(before.rules, after.rules).join(', '), kept(after.rules, before.rules).join(', '))
  return lines
}

const sentence = ({ when, then }: Rule) => `${whenText(when)}: ${words(then).toLowerCase()}`
