import Type from 'typebox'
import {
  formatDecimal,
  POLICY_DRY_RUN_CHANGES_MAX,
  POLICY_DRY_RUN_DAYS_DEFAULT,
  POLICY_DRY_RUN_DAYS_MAX,
  POLICY_DRY_RUN_OPERATIONS_MAX,
} from '../../../kernel/index.ts'
import { type ChangedDecision, dryRunPolicy, type Parts, type PolicyDryRun } from '../../../operations/index.ts'
import { type App, envelope, id, ok } from '../../http/index.ts'
import { byEveryoneAndServiceAccounts } from '../access.ts'
import { decimal, orNull } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { Evaluation, PolicyBody } from './approval-policy.ts'
import { operationType } from './operations.ts'

const Change = Type.Object(
  {
    operationId: id('Operation id.'),
    type: operationType,
    walletId: id('Organization wallet id.'),
    strategy: Type.String({ description: 'Name of the strategy.' }),
    venue: Type.String({ description: 'Name of the venue.' }),
    amount: orNull(
      decimal('Amount of the whole move.'),
      'Amount of the whole move when it was planned; null if Weir did not store it yet.',
    ),
    token: Type.String({ description: 'Token symbol.' }),
    plannedAt: dateTime('When the operation was planned.'),
    inForce: Evaluation,
    tried: Evaluation,
  },
  {
    $id: 'PolicyDryRunChange',
    description: 'An operation that the policy in force (`inForce`) and the one you sent (`tried`) decide differently.',
  },
)
const count = (description: string) => Type.Integer({ minimum: 0, description })
const DryRun = Type.Object(
  {
    since: dateTime('Start of the period.'),
    operations: count('How many operations were decided again.'),
    truncated: Type.Boolean({
      description: `Whether the period has older operations, which were left out: a dry run takes the newest ${POLICY_DRY_RUN_OPERATIONS_MAX}.`,
    }),
    outcomes: Type.Object(
      {
        approve: count('How many would go ahead.'),
        require_approval: count('How many would need approval.'),
        reject: count('How many would be rejected.'),
      },
      { description: 'What your policy decides, by outcome.' },
    ),
    changed: count('How many of them the policy in force decides differently.'),
    changes: Type.Array(Change, {
      description: `The newest ${POLICY_DRY_RUN_CHANGES_MAX} of these, newest first.`,
    }),
  },
  { $id: 'PolicyDryRun', description: 'What a policy would have decided.' },
)

const presentChange = ({ strategyName, venueName, amount, tokenDecimals, plannedAt, ...change }: ChangedDecision) => ({
  ...change,
  strategy: strategyName,
  venue: venueName,
  amount: amount === null ? null : formatDecimal(amount, tokenDecimals),
  plannedAt: plannedAt.toISOString(),
})

const present = ({ since, isTruncated, changes, ...counts }: PolicyDryRun) =>
  ok({ ...counts, since: since.toISOString(), truncated: isTruncated, changes: changes.map(presentChange) })

/** Tries a policy on the operations of the last days: `POST /api/core/approval-policy/dry-run`. */
export function policyDryRunRoute(app: App, parts: Pick<Parts, 'db' | 'clock'>): void {
  app.post(
    '/api/core/approval-policy/dry-run',
    {
      config: { ...byEveryoneAndServiceAccounts, audit: false },
      schema: {
        tags: ['Approval policy'],
        operationId: 'dryRunApprovalPolicy',
        summary: 'Try an approval policy on past operations',
        description:
          "Decides the planned operations of the last days again, by your policy and by the one in force, without changing anything. These are the operations of operational wallets; a v1 client's signature is its approval. A wallet's custody provider and the names of a venue are those of today.",
        body: Type.Object({
          policy: PolicyBody,
          days: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: POLICY_DRY_RUN_DAYS_MAX,
              default: POLICY_DRY_RUN_DAYS_DEFAULT,
              description: 'Days up to now.',
            }),
          ),
        }),
        response: { 200: envelope(DryRun, 'What the policy would have decided.') },
      },
    },
    async ({ body, credential: { organizationId } }) => {
      const { policy, days = POLICY_DRY_RUN_DAYS_DEFAULT } = body
      return present(await dryRunPolicy(parts, { organizationId, policy, days }))
    },
  )
}
