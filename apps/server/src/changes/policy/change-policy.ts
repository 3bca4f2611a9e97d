/** The kinds of configuration change that an organization can put under a rule. */
export const CHANGE_KINDS = [
  'approval_policy',
  'change_policy',
  'members',
  'keys',
  'webhooks',
  'payout_accounts',
  'onramp_destinations',
  'destinations',
] as const

export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** Changes of the ramp: their requests hold names and accounts of recipients. */
export const RAMP_CHANGE_KINDS = ['payout_accounts', 'onramp_destinations'] as const satisfies readonly ChangeKind[]

/** What a change of one kind needs. Nothing at all by default. */
export interface ChangeRule {
  /** Different members, besides the requester, who must approve. */
  readonly requiredApprovals: number
  /** How long the change waits once it is approved. */
  readonly coolingOffSeconds: number
}

export type ChangeRules = Readonly<Record<ChangeKind, ChangeRule>>

export const NO_RULE: ChangeRule = { requiredApprovals: 0, coolingOffSeconds: 0 }

/** The rules of an organization that never set any: every change is made at once. */
export const NO_RULES = completeRules({})

/** All rules, without other fields; a kind that is not named has none. */
export function completeRules(rules: Partial<ChangeRules>): ChangeRules {
  const complete = CHANGE_KINDS.map((kind) => {
    const { requiredApprovals, coolingOffSeconds } = rules[kind] ?? NO_RULE
    return [kind, { requiredApprovals, coolingOffSeconds }]
  })
  return Object.fromEntries(complete) as Record<ChangeKind, ChangeRule>
}

/**
 * The rule that a change must follow; `undefined` if there is none. A change of the policy itself needs the most that
 * any kind needs: otherwise one person could lift a rule and then do what it forbids.
 */
export function ruleFor(rules: ChangeRules, kind: ChangeKind): ChangeRule | undefined {
  const rule = kind === 'change_policy' ? strictest(Object.values(rules)) : rules[kind]
  return rule.requiredApprovals > 0 || rule.coolingOffSeconds > 0 ? rule : undefined
}

/** The most approvals and the longest period of several rules. */
function strictest(rules: readonly ChangeRule[]): ChangeRule {
  return {
    requiredApprovals: Math.max(...rules.map(({ requiredApprovals }) => requiredApprovals)),
    coolingOffSeconds: Math.max(...rules.map(({ coolingOffSeconds }) => coolingOffSeconds)),
  }
}

/** The most approvals that any change needs. */
export const mostApprovals = (rules: ChangeRules): number => strictest(Object.values(rules)).requiredApprovals

/** Whether this many members can give the approvals: the requester of a change does not approve it. */
export const canGiveApprovals = (approvers: number, requiredApprovals: number): boolean =>
  requiredApprovals === 0 || requiredApprovals <= approvers - 1
