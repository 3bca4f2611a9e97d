import { type ConditionName, conditionHolds, INPUT_LABELS, type PolicyInput } from './conditions.ts'
import {
  type ActivePolicy,
  FALLBACK_POLICY,
  type PolicyConditions,
  type PolicyOutcome,
  type PolicyRule,
} from './policy.ts'

/** What the policy says of one move, and why. */
export interface PolicyDecision {
  readonly outcome: PolicyOutcome
  /** How many people must approve; 0 unless the outcome is `require_approval`. */
  readonly requiredApprovals: number
  /** The rule that decides; null when the mode or the default does, or nothing can be read. */
  readonly rule: string | null
  /** One sentence for people. */
  readonly explanation: string
}

const OUTCOME_LABELS: Record<PolicyOutcome, string> = {
  approve: 'the operation goes ahead',
  require_approval: 'approval is required',
  reject: 'the operation is rejected',
}

/**
 * Judges a move by the policy in force (contract 7). Pure and total: whatever the facts, it answers. `automatic`
 * approves, `manual` asks, and `conditional` lets the first rule that holds decide, then the default.
 *
 * An unreadable policy asks for one approval. A fact that is not known asks for approval as soon as a rule is reached
 * whose other conditions hold and that needs it: whether that rule decides cannot be told, so people do. A rule that
 * fails by a condition that is known is passed over, whatever else it needs.
 */
export function decide(policy: ActivePolicy, facts: PolicyInput): PolicyDecision {
  if (policy === 'unreadable') {
    const { requiredApprovals } = FALLBACK_POLICY
    return requireApproval(requiredApprovals, null, 'The approval policy cannot be read, so approval is required.')
  }
  const needed = policy.requiredApprovals
  if (policy.mode === 'automatic') {
    return approve(null, 'The policy is automatic: every operation goes ahead.')
  }
  if (policy.mode === 'manual')
    return requireApproval(needed, null, 'The policy is manual: every operation needs approval.')
  for (const rule of policy.rules) {
    const judged = matchConditions(rule.when, facts)
    if (judged === 'fails') continue
    if (judged === 'holds') return applyRule(rule, needed)
    const missing = judged.map((name) => INPUT_LABELS[name]).join(' and ')
    return requireApproval(
      needed,
      rule.name,
      `The rule "${rule.name}" needs ${missing}, not known here, so approval is required.`,
    )
  }
  const explanation = `${policy.rules.length === 0 ? 'There is no rule' : 'No rule holds'}, so the default decides: ${OUTCOME_LABELS[policy.default]}.`
  return policy.default === 'approve' ? approve(null, explanation) : requireApproval(needed, null, explanation)
}

/** Whether all conditions hold, one of them fails, or which ones cannot be told. */
function matchConditions(when: PolicyConditions, facts: PolicyInput): 'holds' | 'fails' | ConditionName[] {
  const names = Object.keys(when) as ConditionName[]
  const results = names.map((name) => conditionHolds(name, when, facts))
  if (results.includes(false)) return 'fails'
  const unknown = names.filter((_, index) => results[index] === undefined)
  return unknown.length === 0 ? 'holds' : unknown
}

function applyRule({ name, then }: PolicyRule, needed: number): PolicyDecision {
  const explanation = `The rule "${name}" holds: ${OUTCOME_LABELS[then]}.`
  return { outcome: then, requiredApprovals: then === 'require_approval' ? needed : 0, rule: name, explanation }
}

function requireApproval(requiredApprovals: number, rule: string | null, explanation: string): PolicyDecision {
  return { outcome: 'require_approval', requiredApprovals, rule, explanation }
}

function approve(rule: string | null, explanation: string): PolicyDecision {
  return { outcome: 'approve', requiredApprovals: 0, rule, explanation }
}
