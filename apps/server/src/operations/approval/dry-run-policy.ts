import { setImmediate as others } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import {
  addMilliseconds,
  type Clock,
  DAY_MS,
  POLICY_DRY_RUN_CHANGES_MAX,
  POLICY_DRY_RUN_OPERATIONS_MAX,
  POLICY_DRY_RUN_SLICE,
} from '../../kernel/index.ts'
import {
  candidatePolicy,
  decide,
  getActivePolicy,
  type PolicyDecision,
  type PolicyOutcome,
} from '../../policy/index.ts'
import { publicTypeOf } from '../lifecycle/states/operation.ts'
import { policyFactsOf } from '../planning/policy-facts.ts'

export interface DryRunRequest {
  readonly organizationId: number
  /** The policy to try. */
  readonly policy: unknown
  readonly days: number
}

/** An operation that the two policies decide differently. Base units. */
export interface ChangedDecision {
  readonly operationId: number
  readonly type: 'SUPPLY' | 'UNWIND'
  readonly walletId: number
  readonly strategyName: string
  readonly venueName: string
  /** Of the whole move; `null`: nobody stored it. */
  readonly amount: bigint | null
  readonly token: string
  readonly tokenDecimals: number
  readonly plannedAt: Date
  readonly inForce: PolicyDecision
  readonly tried: PolicyDecision
}

export interface PolicyDryRun {
  readonly since: Date
  /** How many operations both policies decided. */
  readonly operations: number
  /** Whether the period has more operations, which are older. */
  readonly isTruncated: boolean
  /** What the policy decides, by outcome. */
  readonly outcomes: Readonly<Record<PolicyOutcome, number>>
  /** How many of them it decides differently from the policy in force. */
  readonly changed: number
  /** The newest of these. */
  readonly changes: readonly ChangedDecision[]
}

/**
 * Decides the planned operations of the last days again, by a policy and by the one in force (contract 7). These are the
 * operations of operational wallets: a client's signature is its approval. Their facts are those of the plan, except that
 * a wallet's custody provider and a venue's names are today's. Changes nothing. Error: VALIDATION_ERROR.
 */
export async function dryRunPolicy(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { organizationId, policy, days }: DryRunRequest,
): Promise<PolicyDryRun> {
  const candidate = candidatePolicy(policy)
  const since = addMilliseconds(clock.now(), -days * DAY_MS)
  const [active, rows] = await Promise.all([
    getActivePolicy(db, organizationId),
    readPlannedMoves(db, organizationId, since),
  ])
  const looked = rows.slice(0, POLICY_DRY_RUN_OPERATIONS_MAX)
  const outcomes = { approve: 0, require_approval: 0, reject: 0 }
  const changes: ChangedDecision[] = []
  let changed = 0
  for (const [index, row] of looked.entries()) {
    if (index % POLICY_DRY_RUN_SLICE === 0) await others()
    const facts = policyFactsOf(row)
    const [inForce, tried] = [decide(active, facts), decide(candidate, facts)]
    outcomes[tried.outcome] += 1
    if (isSame(inForce, tried)) continue
    changed += 1
    if (changes.length < POLICY_DRY_RUN_CHANGES_MAX) changes.push(changeOf(row, inForce, tried))
  }
  return {
    since,
    operations: looked.length,
    isTruncated: rows.length > looked.length,
    outcomes,
    changed,
    changes,
  }
}

const isSame = (a: PolicyDecision, b: PolicyDecision): boolean =>
  a.outcome === b.outcome && a.requiredApprovals === b.requiredApprovals

type TriedMove = Awaited<ReturnType<typeof readPlannedMoves>>[number]

function changeOf(move: TriedMove, inForce: PolicyDecision, tried: PolicyDecision): ChangedDecision {
  const { operationId, type, walletId, strategy, value, at } = move
  return {
    operationId,
    type: publicTypeOf(type),
    walletId,
    strategyName: strategy.name,
    venueName: strategy.venueName,
    amount: value,
    token: strategy.token,
    tokenDecimals: strategy.tokenDecimals,
    plannedAt: at,
    inForce,
    tried,
  }
}

/** The newest operations that the policy decided since then, and one more if there are more. */
async function readPlannedMoves(db: Database, organizationId: number, since: Date) {
  const rows = await plannedMoves(db, organizationId, since).execute()
  return rows.map((row) => ({
    operationId: row.id,
    type: row.type,
    value: row.move_total ?? row.planned_value,
    walletId: row.wallet_id,
    custodyProvider: row.custody_provider,
    at: row.created_at,
    strategy: {
      name: row.strategy_name,
      venueName: row.venue_name,
      protocol: row.protocol,
      params: row.params,
      token: row.token,
      tokenDecimals: row.token_decimals,
    },
  }))
}

/** From an index that holds no client's operations, of which there may be any number. */
export const plannedMoves = (db: Database, organizationId: number, since: Date) =>
  db
    .selectFrom('operations')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'operations.organization_id')
        .onRef('wallets.id', '=', 'operations.wallet_id'),
    )
    .innerJoin('strategies', 'strategies.id', 'operations.strategy_id')
    .innerJoin('venues', 'venues.id', 'strategies.venue_id')
    .select([
      'operations.id',
      'operations.type',
      'operations.move_total',
      'operations.planned_value',
      'operations.wallet_id',
      'operations.created_at',
      'wallets.custody_provider',
      'strategies.name as strategy_name',
      'strategies.protocol',
      'strategies.params',
      'strategies.token',
      'strategies.token_decimals',
      'venues.name as venue_name',
    ])
    .where('operations.organization_id', '=', organizationId)
    // A literal: the planner takes a partial index only if the text of the query has its condition.
    .where('operations.executor', '=', sql.lit('agent'))
    .where('operations.created_at', '>=', since)
    .orderBy('operations.created_at', 'desc')
    .orderBy('operations.id', 'desc')
    .limit(POLICY_DRY_RUN_OPERATIONS_MAX + 1)
