import type { AllowList } from '@weir/verify'
import type { Logger } from 'pino'
import type { Approvers } from '../approvals/index.ts'
import type { Node } from '../chains/index.ts'
import type { Clock } from '../clock.ts'
import type { Journal } from '../journal/index.ts'
import type { Limits } from '../limits/index.ts'
import type { Service } from '../service/client.ts'
import type { Signer } from '../signers/index.ts'
import type { NonceGaps } from './nonce-gaps.ts'
import type { Outages } from './outages.ts'
import type { Reports } from './reports.ts'
import type { WorkLocks } from './work-locks.ts'
import type { WorkStep } from './work-step.ts'

/** The agent's dependencies. */
export interface Parts {
  readonly service: Service
  readonly signer: Signer
  readonly journal: Journal
  readonly reports: Reports
  readonly locks: WorkLocks
  readonly gaps: NonceGaps
  readonly nodes: ReadonlyMap<string, Node>
  readonly allowList: AllowList
  readonly limits: Limits
  readonly approvers: Approvers | undefined
  readonly environment: 'sandbox' | 'live'
  readonly clock: Clock
  readonly log: Logger
  /** Chains that do not respond while signed bytes are outstanding, by blockchain. */
  readonly chainOutages: Outages
  /** Transactions and actions that are not completed although this agent got them, by id. */
  readonly holds: Outages
  /** Signed bytes that no node knows, or whose turn failed, by hash. */
  readonly losses: Outages
  readonly unknownWallet: 'fail' | 'leave'
  /** Called at every step: metrics count steps, and tests kill the process at one. */
  readonly emit: (step: WorkStep) => void
}
