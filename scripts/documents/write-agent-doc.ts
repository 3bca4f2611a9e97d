// Writes into docs/agent.md why the agent signs nothing, and its metrics. The text around the tables is written by hand. A
// test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import type { WorkStep } from '../../apps/agent/src/work/work-step.ts'
import type { RefusalCode } from '../../packages/verify/src/refusal.ts'
import { withParts } from './state-diagrams.ts'

const file = new URL('../../docs/agent.md', import.meta.url)

/** Codes of the agent itself; those of `@weir/verify` are above them. */
type AgentCode =
  | 'APPROVAL_EXPIRED'
  | 'APPROVAL_MISSING'
  | 'APPROVAL_USED'
  | 'FEE_BUDGET_REACHED'
  | 'ID_REUSED'
  | 'LIMIT_REACHED'
  | 'NONCE_GAP'
  | 'SIGNER_REFUSED'
  | 'UNKNOWN_WALLET'

interface Refused {
  readonly cause: string
  readonly remedy: string
}

const refused = (cause: string, remedy: string): Refused => ({ cause, remedy })
const OTHER = 'Sign nothing by hand. Compare the bytes with the operation, and find out who changed them.'

const CODES: Readonly<Record<RefusalCode | AgentCode, Refused>> = {
  UNKNOWN_CHAIN: refused(
    'the agent has no endpoint for the chain, or its list lacks the chain',
    'Set the endpoint of the chain ([settings](agent-settings.md)), or add the chain to `ALLOW_LIST`.',
  ),
  UNKNOWN_TOKEN: refused("the call moves a token that is not the operation's", OTHER),
  UNKNOWN_VENUE: refused(
    'the list lacks the venue or its token, or the operation began at another venue',
    'Add the venue to `ALLOW_LIST` if you trust it; otherwise leave it out of the strategies.',
  ),
  UNKNOWN_METHOD: refused('the contract or program is called in a way that the agent does not know', OTHER),
  UNKNOWN_WALLET: refused(
    'the agent holds no key of the wallet',
    'Give it the key, or set `UNKNOWN_WALLET=leave` if another agent has it.',
  ),
  WRONG_CHAIN: refused('the transaction is for another chain id', OTHER),
  WRONG_SIGNER: refused(
    'another account signs, or the wallet had another address before',
    'After a restore, request the wallet again; otherwise find out who changed the address.',
  ),
  WRONG_STEP: refused('the effect is not that of the step, such as a deposit in a withdrawal', OTHER),
  WRONG_AMOUNT: refused(
    'the amount is not the approved one, or the shares would pay out more',
    'Plan again; if it comes back, compare the bytes with the operation.',
  ),
  WRONG_BENEFICIARY: refused('shares or proceeds would belong to another address', OTHER),
  WRONG_MEMO: refused('the memo of a Solana transaction is missing, or of another transaction', OTHER),
  OVER_LIMIT: refused(
    'more than `maxAmount` of the list in one transaction',
    'Move less at once, or raise `maxAmount` in `ALLOW_LIST`.',
  ),
  NATIVE_VALUE: refused('the transaction sends native coins', OTHER),
  FEE_TOO_HIGH: refused(
    'the fee could be above the cap of the list',
    'Wait until fees fall, or raise the cap in `ALLOW_LIST`.',
  ),
  MALFORMED: refused('the bytes are not a canonical unsigned transaction of a known form', OTHER),
  SOMETHING_ELSE: refused('the transaction does more than its step, or nothing', OTHER),
  LIMIT_REACHED: refused(
    'a limit of `LIMITS` would be exceeded',
    'Wait until the window has passed, or raise the limit and restart.',
  ),
  FEE_BUDGET_REACHED: refused(
    'a limit of `fees` in `LIMITS` would be exceeded',
    'Wait until the window has passed, or raise the limit and restart.',
  ),
  APPROVAL_MISSING: refused(
    'fewer people than `APPROVERS` requires signed the operation',
    'Plan again, and have enough of the listed people approve.',
  ),
  APPROVAL_EXPIRED: refused('the operation was planned too long ago for its signatures', 'Plan and approve again.'),
  APPROVAL_USED: refused('another transaction used the approval of this step', 'Plan and approve again.'),
  NONCE_GAP: refused(
    'for half an hour an earlier nonce of the wallet was neither used nor in the journal',
    'Find what waits before it ([stuck transactions](runbooks/transaction-stuck.md)), then plan again.',
  ),
  SIGNER_REFUSED: refused(
    'the signer refused for good, as the text after the code says',
    'Correct the key, its permissions or the signer ([signers](signers.md)), then plan again.',
  ),
  ID_REUSED: refused(
    'the service issued the id of earlier work for something else',
    'Follow [the runbook](runbooks/writes-lost.md#what-do-i-do).',
  ),
}

const STEPS: Readonly<Record<WorkStep, string>> = {
  polled: 'got a transaction from the service',
  verified: 'the bytes do what was approved',
  refused: 'not signed, for a reason of the table above',
  held: 'neither signed nor refused for now; the service issues it again',
  approved: 'the signatures of `APPROVERS` suffice, or none is needed',
  'limit-reached': 'a limit of `LIMITS` would be exceeded; then `refused`',
  reserved: 'counted in the limits',
  signing: 'the signer was asked',
  signed: 'the signer signed',
  journaled: 'the signed bytes are on disk',
  sent: 'a node took the bytes',
  'send-refused': 'the chain refused the bytes for good',
  reported: 'the service knows the hash',
  'report-refused': 'the service refused the report of a hash or wallet',
  failed: 'the service knows that nothing was signed',
  left: 'left for an agent that holds the key',
  'lease-renewed': 'kept the work for longer',
  'lease-lost': 'the service gave the work to another agent',
  resent: 'sent the same bytes again',
  ended: 'the transaction is final, or can no longer land',
  'action-polled': 'got an action, such as a new wallet',
  'key-made': 'the signer made a key',
  'key-journaled': 'the new wallet is on disk',
  'action-reported': 'the service knows the result of the action',
}

const METRICS = new URL('../../apps/agent/src/status/status.ts', import.meta.url)

function metricsTable(): string {
  const source = readFileSync(METRICS, 'utf8')
  const found = source.matchAll(
    /new (Counter|Gauge)\(\{\s*name: '(\w+)',\s*help: '([^']+)',(?:\s*labelNames: \[([^\]]+)\])?/g,
  )
  const rows = [...found].map(([, type = '', name, help, labels = '']) => {
    const names = [...labels.matchAll(/'(\w+)'/g)].map(([, label]) => label)
    return `| \`${name}${names.length > 0 ? `{${names.join(',')}}` : ''}\` | ${type.toLowerCase()} | ${help} |`
  })
  return ['| Metric | Type | Meaning |', '|---|---|---|', ...rows.sort()].join('\n')
}

const PARTS: Readonly<Record<string, () => string>> = {
  'codes of the agent': () =>
    [
      '| Code | Cause | What to do |',
      '|---|---|---|',
      ...Object.entries(CODES).map(([code, { cause, remedy }]) => `| \`${code}\` | ${cause} | ${remedy} |`),
    ].join('\n'),
  'metrics of the agent': metricsTable,
  'steps of the agent': () =>
    [
      '| `step` | Means |',
      '|---|---|',
      ...Object.entries(STEPS).map(([step, meaning]) => `| \`${step}\` | ${meaning} |`),
    ].join('\n'),
}

/** The codes that the page explains. */
export const EXPLAINED_CODES: readonly string[] = Object.keys(CODES)

/** The steps that the page explains. */
export const EXPLAINED_STEPS: readonly string[] = Object.keys(STEPS)

/** The document with its generated parts between the markers. Throws if a marker is missing. */
export const agentDocument = (current: string): string => withParts('docs/agent.md', current, PARTS)

if (import.meta.main) writeFileSync(file, agentDocument(readFileSync(file, 'utf8')))
