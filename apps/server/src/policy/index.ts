export type { MoveFacts } from './conditions.ts'
export { type Decision, decide } from './decide.ts'
export type { ApprovalPolicy, PolicyInForce, PolicyOutcome } from './policy.ts'
export { policyInForce } from './policy-in-force.ts'
