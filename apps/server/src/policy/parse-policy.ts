import { POLICY_LIST_MAX, POLICY_NAME_LENGTH_MAX, POLICY_RULES_MAX } from '../kernel/index.ts'
import { DECIMAL_PATTERN } from './conditions.ts'
import { isTimezone, minutesOf, weekdayOf } from './hours.ts'
import type { ApprovalPolicy, OutsideHours, PolicyConditions, PolicyRule } from './policy.ts'

/** A problem in a policy and its path: `rules[0].when.amountAtLeast`. */
export interface PolicyIssue {
  readonly path: string
  readonly message: string
}

type ConditionParser = (value: unknown, path: string) => void

type ParsedPolicy = { policy: ApprovalPolicy } | { problems: PolicyIssue[] }
type WrittenPolicy = Omit<ApprovalPolicy, 'requesterMayApprove'> & Partial<ApprovalPolicy>

/**
 * Parses a policy from a client: returns the policy if all of it is valid, otherwise every problem. Unknown fields are
 * dropped, except among conditions: a rule without one of its conditions would hold more often than its author meant.
 * Unless the policy says otherwise, the requester may not approve.
 */
export function parsePolicy(value: unknown): ParsedPolicy {
  return parse(value, false)
}

/** Parses a policy from the table. In one stored before `requesterMayApprove` existed, the requester may approve. */
export function parseStoredPolicy(value: unknown): ParsedPolicy {
  return parse(value, true)
}

function parse(value: unknown, requesterMayApproveDefault: boolean): ParsedPolicy {
  const problems: PolicyIssue[] = []
  const reader = new PolicyParser((path, message) => problems.push({ path, message }))
  reader.policy(value)
  if (problems.length > 0) return { problems }
  return { policy: pickPolicyFields({ requesterMayApprove: requesterMayApproveDefault, ...(value as WrittenPolicy) }) }
}

/** The same policy with only the fields that a policy has. */
function pickPolicyFields(policy: ApprovalPolicy): ApprovalPolicy {
  const { mode, rules, default: byDefault, requiredApprovals, requesterMayApprove } = policy
  const rule = ({ name, when, then }: PolicyRule): PolicyRule => {
    if (when.outsideHours === undefined) return { name, when: { ...when }, then }
    const { timezone, from, to, days } = when.outsideHours
    return { name, when: { ...when, outsideHours: { timezone, from, to, days } }, then }
  }
  return { mode, rules: rules.map(rule), default: byDefault, requiredApprovals, requesterMayApprove }
}

class PolicyParser {
  readonly #report: (path: string, message: string) => void

  constructor(report: (path: string, message: string) => void) {
    this.#report = report
  }

  policy(value: unknown): void {
    const policy = this.#object(value, 'body')
    if (policy === undefined) return
    this.#oneOf(['automatic', 'manual', 'conditional'])(policy.mode, 'mode')
    this.#list(policy.rules, 'rules', { min: 0, max: POLICY_RULES_MAX }, (rule, path) => this.#rule(rule, path))
    this.#oneOf(['require_approval', 'approve'])(policy.default, 'default')
    const needed = policy.requiredApprovals
    if (!Number.isInteger(needed) || Number(needed) < 1 || Number(needed) > 5)
      this.#report('requiredApprovals', 'must be a whole number from 1 to 5')
    if (Object.hasOwn(policy, 'requesterMayApprove') && typeof policy.requesterMayApprove !== 'boolean')
      this.#report('requesterMayApprove', 'must be true or false')
    this.#uniqueNames(policy.rules)
  }

  #rule(value: unknown, path: string): void {
    const rule = this.#object(value, path)
    if (rule === undefined) return
    this.#text(rule.name, `${path}.name`)
    this.#oneOf(['require_approval', 'approve', 'reject'])(rule.then, `${path}.then`)
    const when = this.#object(rule.when, `${path}.when`)
    for (const [name, required] of Object.entries(when ?? {})) {
      const read = Object.hasOwn(this.#conditions, name) ? this.#conditions[name as keyof PolicyConditions] : undefined
      if (read === undefined) this.#report(`${path}.when.${name}`, 'is not a condition')
      else read(required, `${path}.when.${name}`)
    }
  }

  readonly #conditions: Readonly<Record<keyof PolicyConditions, ConditionParser>> = {
    amountAtLeast: (value, path) => {
      if (typeof value !== 'string' || !DECIMAL_PATTERN.test(value))
        this.#report(path, 'must be decimal text such as "10000.00", with at most 18 digits after the point')
    },
    walletIds: (value, path) =>
      this.#list(value, path, { min: 1, max: POLICY_LIST_MAX }, (item, at) => {
        if (!Number.isSafeInteger(item) || Number(item) < 1) this.#report(at, 'must be the id of a wallet')
      }),
    custodyProviders: (value, path) => this.#list(value, path, { min: 1, max: POLICY_LIST_MAX }, this.#text),
    types: (value, path) =>
      this.#list(value, path, { min: 1, max: POLICY_LIST_MAX }, this.#oneOf(['SUPPLY', 'UNWIND'])),
    counterparties: (value, path) => this.#list(value, path, { min: 1, max: POLICY_LIST_MAX }, this.#text),
    outsideHours: (value, path) => this.#hours(value, path),
  }

  #hours(value: unknown, path: string): void {
    const hours = this.#object(value, path) as Partial<Record<keyof OutsideHours, unknown>> | undefined
    if (hours === undefined) return
    if (typeof hours.timezone !== 'string' || !isTimezone(hours.timezone))
      this.#report(`${path}.timezone`, 'must be the IANA name of a time zone, such as Europe/Berlin')
    for (const end of ['from', 'to'] as const) {
      const time = hours[end]
      const minutes = typeof time === 'string' ? minutesOf(time) : undefined
      const isWrong = minutes === undefined || (end === 'from' && minutes === 24 * 60)
      if (isWrong) this.#report(`${path}.${end}`, 'must be a time of day as HH:MM')
    }
    this.#list(hours.days, `${path}.days`, { min: 1, max: 7 }, (day, at) => {
      if ((typeof day !== 'string' && typeof day !== 'number') || weekdayOf(day) === undefined)
        this.#report(at, 'must be a weekday: mon to sun, the full name, or 1 (Monday) to 7 (Sunday)')
    })
  }

  #uniqueNames(rules: unknown): void {
    if (!Array.isArray(rules)) return
    const names = rules.map((rule: unknown) => (isObject(rule) ? rule.name : undefined))
    names.forEach((name, index) => {
      if (typeof name === 'string' && names.indexOf(name) < index)
        this.#report(`rules[${index}].name`, 'is the name of an earlier rule')
    })
  }

  #object(value: unknown, path: string): Record<string, unknown> | undefined {
    if (isObject(value)) return value
    this.#report(path, value === undefined ? 'is required' : 'must be an object')
    return undefined
  }

  #list(
    value: unknown,
    path: string,
    { min, max }: { readonly min: number; readonly max: number },
    read: ConditionParser,
  ): void {
    if (!Array.isArray(value)) this.#report(path, value === undefined ? 'is required' : 'must be an array')
    else if (value.length < min || value.length > max) this.#report(path, `must have ${min} to ${max} entries`)
    else for (const [index, item] of value.entries()) read(item, `${path}[${index}]`)
  }

  readonly #text: ConditionParser = (value, path) => {
    if (typeof value !== 'string' || value.trim() === '' || value.length > POLICY_NAME_LENGTH_MAX)
      this.#report(path, `must be text of 1 to ${POLICY_NAME_LENGTH_MAX} characters`)
  }

  #oneOf(values: readonly string[]): ConditionParser {
    return (value, path) => {
      if (!values.includes(value as string)) this.#report(path, `must be one of: ${values.join(', ')}`)
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
