import type { Schema } from '../../api/types.ts'
import { words } from '../../parts/values.tsx'

export type Version = Schema<'ApprovalPolicyVersion'>
/** What a policy says, without who set it and when. */
export type PolicyContent = Schema<'ApprovalPolicy'>
export type Rule = Schema<'PolicyRule'>

export const contentOf = ({
  mode,
  rules,
  default: otherwise,
  requiredApprovals,
  requesterMayApprove,
}: PolicyContent): PolicyContent => ({
  mode,
  rules,
  default: otherwise,
  requiredApprovals,
  requesterMayApprove,
})

export function withAmount(when: Rule['when'], amount: string): Rule['when'] {
  const { amountAtLeast: _, ...rest } = when
  return amount === '' ? rest : { ...rest, amountAtLeast: amount }
}

export function otherConditions({ when }: Rule): string {
  const others = Object.entries(when)
    .filter(([name]) => name !== 'amountAtLeast')
    .map(
      ([name, value]) =>
        `${words(name.replaceAll(/([A-Z])/g, ' $1')).toLowerCase()}: ${Array.isArray(value) ? value.join(', ') : JSON.stringify(value)}`,
    )
  return others.length > 0 ? `and ${others.join('; ')}` : 'of any operation'
}

export function differences(before: PolicyContent, after: PolicyContent): string[] {
  const lines: string[] = []
  if (before.mode !== after.mode) lines.push(`Mode: ${before.mode} → ${after.mode}`)
  if (before.requiredApprovals !== after.requiredApprovals)
    lines.push(`Approvals required: ${before.requiredApprovals} → ${after.requiredApprovals}`)
  if (before.requesterMayApprove !== after.requesterMayApprove)
    lines.push(
      `Requesters may approve their own: ${before.requesterMayApprove ? 'yes' : 'no'} → ${after.requesterMayApprove ? 'yes' : 'no'}`,
    )
  if (before.default !== after.default) lines.push(`Otherwise: ${words(before.default)} → ${words(after.default)}`)
  for (let at = 0; at < Math.max(before.rules.length, after.rules.length); at += 1) {
    const [old, next] = [before.rules[at], after.rules[at]]
    if (JSON.stringify(old) !== JSON.stringify(next))
      lines.push(`Rule ${at + 1}: ${old ? sentence(old) : 'none'} → ${next ? sentence(next) : 'none'}`)
  }
  return lines
}

const sentence = ({ name, when, then }: Rule) =>
  `“${name}” ${when.amountAtLeast ? `from ${when.amountAtLeast} ` : ''}${words(then).toLowerCase()}`
