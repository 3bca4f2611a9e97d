import { type ConditionName, conditionHolds, conditionText, INPUT_LABELS, type PolicyInput } from './conditions.ts'
import {
  type ActivePolicy,
  FALLBACK_POLICY,
  type PolicyConditions,
  type PolicyOutcome,
  type PolicyRule,
} from './policy.ts'

/** The decision of the policy about one move, and why. */
export interface PolicyDecision {
  readonly outcome: PolicyOutcome
  /** How many people must approve; 0 unless the outcome is `require_approval`. */
  readonly requiredApprovals: number
  /** The deciding rule; null when the mode or the default decides, or the policy is unreadable. */
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
 * Decides a move by the active policy (contract 7). Pure and total: it returns a decision for any facts. `automatic`
 * approves, `manual` requires approval, and `conditional` lets the first rule that holds decide, then the default.
 *
 * An unreadable policy requires one approval. An unknown fact requires approval as soon as a rule needs it whose other
 * conditions hold: the rule might decide, so people do. A rule that fails on a known condition is skipped, whatever
 * else it needs.
 */
export function decide(policy: ActivePolicy, input: PolicyInput): PolicyDecision {
  if (policy === 'unreadable') {
    const { requiredApprovals } = FALLBACK_POLICY
    return requireApproval(requiredApprovals, null, 'The approval policy is unreadable, so approval is required.')
  }
  const needed = policy.requiredApprovals
  if (policy.mode === 'automatic') {
    return approve(null, 'The policy is automatic: every operation goes ahead.')
  }
  if (policy.mode === 'manual')
    return requireApproval(needed, null, 'The policy is manual: every operation needs approval.')
  for (const rule of policy.rules) {
    const result = matchConditions(rule.when, input)
    if (result === 'fails') continue
    if (result === 'holds') return applyRule(rule, needed)
    const missing = result.map((name) => INPUT_LABELS[name]).join(' and ')
    return requireApproval(
      needed,
      rule.name,
      `The rule "${rule.name}" needs ${missing}, which is not known here, so approval is required.`,
    )
  }
  const explanation = `${policy.rules.length === 0 ? 'There is no rule' : 'No rule holds'}, so the default decides: ${OUTCOME_LABELS[policy.default]}.`
  return policy.default === 'approve' ? approve(null, explanation) : requireApproval(needed, null, explanation)
}

/** Whether all conditions hold, one of them fails, or which ones are undecided. */
function matchConditions(when: PolicyConditions, input: PolicyInput): 'holds' | 'fails' | ConditionName[] {
  const names = Object.keys(when) as ConditionName[]
  const results = names.map((name) => conditionHolds(name, when, input))
  if (results.includes(false)) return 'fails'
  const unknown = names.filter((_, index) => results[index] === undefined)
  return unknown.length === 0 ? 'holds' : unknown
}

function applyRule({ name, when, then }: PolicyRule, needed: number): PolicyDecision {
  const conditions = (Object.keys(when) as ConditionName[]).map((condition) => conditionText(condition, when))
  const because = conditions.length === 0 ? '' : `, because ${conditions.join(' and ')}`
  const explanation = `The rule "${name}" holds${because}: ${OUTCOME_LABELS[then]}.`
  return { outcome: then, requiredApprovals: then === 'require_approval' ? needed : 0, rule: name, explanation }
}

function requireApproval(requiredApprovals: number, rule: string | null, explanation: string): PolicyDecision {
  return { outcome: 'require_approval', requiredApprovals, rule, explanation }
}

function approve(rule: string | null, explanation: string): PolicyDecision {
  return { outcome: 'approve', requiredApprovals: 0, rule, explanation }
}
