import Type, { type Static } from 'typebox'
import type { IdentityParts } from '../../../identity/index.ts'
import {
  LIST_LIMIT_DEFAULT,
  Money,
  type Parsed,
  POLICY_LIST_MAX,
  POLICY_NAME_LENGTH_MAX,
  POLICY_RULES_MAX,
  validationError,
  WEEK_DAYS,
} from '../../../kernel/index.ts'
import {
  type ApprovalPolicy,
  DECIMAL_PATTERN,
  evaluatePolicy,
  getPolicy,
  listPolicyVersions,
  type PolicyVersion,
  updatePolicy,
} from '../../../policy/index.ts'
import { type App, ChangeRequested, envelope, id, ok, pageQuery, runVerb, userCredentialOf } from '../../http/index.ts'
import { byAdminsWithStepUp, byEveryone, byEveryoneAndServiceAccounts } from '../access.ts'
import { orNull, requestedOpWalletId } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { basedOnVersion, dateTime } from '../schemas.ts'

const outcomes = ['require_approval', 'approve', 'reject'] as const
const name = (description: string) => Type.String({ minLength: 1, maxLength: POLICY_NAME_LENGTH_MAX, description })
const names = (description: string) =>
  Type.Array(name('A name or an address.'), { minItems: 1, maxItems: POLICY_LIST_MAX, description })
const OperationType = Type.Enum(['SUPPLY', 'UNWIND'], { description: 'What the operation does.' })

const OutsideHours = Type.Object(
  {
    timezone: Type.String({ description: 'IANA time zone name.', examples: ['Europe/Berlin'] }),
    from: Type.String({ description: 'Start of the hours, `HH:MM`, inclusive.', examples: ['08:00'] }),
    to: Type.String({
      description: 'End of the hours, `HH:MM`, exclusive. If not after `from`, on the next day. `24:00` is midnight.',
      examples: ['18:00'],
    }),
    days: Type.Array(
      Type.Union([Type.String(), Type.Integer()], {
        description: 'A weekday: `mon` to `sun`, its full name, or 1 (Monday) to 7 (Sunday); 0 is also Sunday.',
      }),
      {
        minItems: 1,
        maxItems: WEEK_DAYS,
        description: 'Days on which the hours begin.',
        examples: [['mon', 'tue', 'wed']],
      },
    ),
  },
  {
    description:
      'Working hours in a time zone. The condition matches at all other times, including all day on days that are not listed. Hours that span midnight belong to the day on which they begin.',
  },
)

const PolicyRuleData = Type.Object(
  {
    name: name('Name of the rule, reported when it decides; unique in the policy.'),
    when: Type.Object(
      {
        amountAtLeast: Type.Optional(
          Type.String({
            description: 'Matches if the amount of the whole move is at least this decimal amount.',
            examples: ['10000.00'],
          }),
        ),
        walletIds: Type.Optional(
          Type.Array(id('Wallet id.'), {
            minItems: 1,
            maxItems: POLICY_LIST_MAX,
            description: 'Matches these wallets.',
          }),
        ),
        custodyProviders: Type.Optional(
          names('Matches wallets with one of these custody providers, case-insensitive.'),
        ),
        types: Type.Optional(Type.Array(OperationType, { minItems: 1, description: 'Matches these operation types.' })),
        outsideHours: Type.Optional(OutsideHours),
        counterparties: Type.Optional(names('Matches venues by name, protocol or contract address, case-insensitive.')),
      },
      { description: 'Conditions of the rule; all of them must match. An empty object always matches.' },
    ),
    then: Type.Enum([...outcomes], { description: 'Outcome for the operation if the rule matches.' }),
  },
  { $id: 'PolicyRule', description: 'A rule of an approval policy. The first rule that matches decides.' },
)

const policyFields = {
  mode: Type.Enum(['automatic', 'manual', 'conditional'], {
    description:
      'automatic: no operation needs approval. manual: every operation needs approval. conditional: the first matching rule decides, otherwise the default.',
  }),
  rules: Type.Array(PolicyRuleData, {
    maxItems: POLICY_RULES_MAX,
    description: 'Rules in order of precedence; used only in mode conditional.',
  }),
  default: Type.Enum(['require_approval', 'approve'], { description: 'Outcome if no rule matches.' }),
  requiredApprovals: Type.Integer({
    minimum: 1,
    maximum: 5,
    description: 'Number of different users who must approve an operation that needs approval.',
  }),
}
const requesterMayApprove = Type.Boolean({
  description:
    'Whether the user who requested an operation may approve it. False by default: others must approve, unless fewer other members may approve than approvals are required. True for policies that were set before this field existed.',
})
const writtenFields = { ...policyFields, requesterMayApprove: Type.Optional(requesterMayApprove) }
export const PolicyBody = Type.Object(writtenFields, {
  $id: 'ApprovalPolicy',
  description: 'How operations are approved.',
})
const PolicyChangeBody = Type.Object(
  { ...writtenFields, basedOnVersion },
  { $id: 'ApprovalPolicyChange', description: 'The policy to put in force.' },
)

const PolicyData = Type.Object(
  {
    ...policyFields,
    requesterMayApprove,
    version: Type.Integer({
      description: 'Version number, incremented on each change; 0 if no policy has been set yet.',
    }),
    readable: Type.Boolean({
      description: 'False if the stored policy cannot be parsed; every operation then needs one approval.',
    }),
    updatedAt: orNull(dateTime('When this version was set.'), 'When this version was set; null for version 0.'),
    updatedBy: orNull(
      Type.Object({
        id: id('User id.'),
        email: Type.String({ description: 'Email address.' }),
        name: orNull(Type.String(), 'Display name; null if not set.'),
      }),
      'User who set this version; null for version 0.',
    ),
  },
  { $id: 'ApprovalPolicyVersion', description: 'A version of the approval policy, with its author and time.' },
)

export const Evaluation = Type.Object(
  {
    outcome: Type.Enum([...outcomes], { description: 'Outcome for the operation.' }),
    rule: orNull(Type.String(), 'Name of the rule that decides; null if the mode or the default decides.'),
    requiredApprovals: Type.Integer({ description: 'Number of approvals needed; 0 if none.' }),
    explanation: Type.String({ description: 'Human-readable explanation.' }),
  },
  { $id: 'PolicyEvaluation', description: 'The result of evaluating the policy for an operation.' },
)

const presentPolicy = ({ version, policy, isReadable, changedAt, changedBy }: PolicyVersion) => ({
  // The schema matches the policy type except that its arrays are not read-only.
  ...(policy as Static<typeof PolicyBody> & Pick<ApprovalPolicy, 'requesterMayApprove'>),
  version,
  readable: isReadable,
  updatedAt: changedAt?.toISOString() ?? null,
  updatedBy: changedBy,
})

const tags = ['Approval policy']

/** The approval policy: `/api/core/approval-policy` (contract 7). */
export function approvalPolicyRoutes(app: App, parts: IdentityParts): void {
  app.get(
    '/api/core/approval-policy',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'getApprovalPolicy',
        summary: 'Get the approval policy',
        description: 'Returns the policy in force. The default is mode automatic: no operation needs approval.',
        response: { 200: envelope(PolicyData, 'The policy.') },
      },
    },
    async (request) => ok(presentPolicy(await getPolicy(parts, request.credential.organizationId))),
  )

  app.put(
    '/api/core/approval-policy',
    {
      config: { ...byAdminsWithStepUp, change: { kind: 'approval_policy' }, audit: { details: ['data.version'] } },
      schema: {
        tags,
        operationId: 'changeApprovalPolicy',
        summary: 'Change the approval policy',
        description:
          'Replaces the whole policy. An operation follows the policy in force when it is planned; pending operations are not affected. An unknown condition is rejected with 400 VALIDATION_ERROR, because a rule without it would match more often than intended. Returns 409 CONFLICT (`details.reason` `changed_meanwhile`) if `basedOnVersion` is no longer in force.',
        body: PolicyChangeBody,
        response: { 200: envelope(PolicyData, 'The policy now in force.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const present = (record: PolicyVersion) => ok(presentPolicy(record))
      const { basedOnVersion, ...policy } = request.body
      return runVerb(reply, 200, present, (transact) =>
        updatePolicy(parts, userCredentialOf(request), { policy, basedOnVersion }, transact),
      )
    },
  )

  app.get(
    '/api/core/approval-policy/history',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'listApprovalPolicyChanges',
        summary: 'List versions of the approval policy',
        description: 'Every version that was ever in force, newest first, with its author and time.',
        querystring: Type.Object({ ...pageQuery }),
        response: {
          200: envelope(
            Type.Object({
              changes: Type.Array(PolicyData, { description: 'The versions.' }),
              pagination: Pagination,
            }),
            'The changes.',
          ),
        },
      },
    },
    async (request) => {
      const { limit = LIST_LIMIT_DEFAULT, offset = 0 } = request.query
      const window = { limit, offset }
      const { items, total } = await listPolicyVersions(parts, userCredentialOf(request).organizationId, window)
      return ok({ changes: items.map(presentPolicy), pagination: paginationOf(window, total, items.length) })
    },
  )

  app.post(
    '/api/core/approval-policy/evaluate',
    {
      config: { ...byEveryoneAndServiceAccounts, audit: false },
      schema: {
        tags,
        operationId: 'evaluateApprovalPolicy',
        summary: 'Evaluate the approval policy',
        description:
          'Evaluates a hypothetical operation against the policy in force, or against the `policy` that you send, without changing anything. If a rule depends on a field that you omit, the outcome is require_approval. The custody provider defaults to that of the wallet, and the counterparties to those of the strategy. Errors: WALLET_NOT_FOUND, STRATEGY_NOT_FOUND.',
        body: Type.Object({
          type: Type.Optional(OperationType),
          amount: Type.Optional(
            Type.String({ description: 'Amount of the whole move, decimal.', examples: ['900.00'] }),
          ),
          walletId: Type.Optional(id('Wallet id.')),
          opWalletId: Type.Optional(id('Operational wallet id; determines the wallet.')),
          managedWalletId: Type.Optional(id('Alias of opWalletId.')),
          strategyId: Type.Optional(id('Strategy id; determines the counterparties.')),
          custodyProvider: Type.Optional(name("The wallet's custody provider.")),
          counterparties: Type.Optional(names('All names of the counterparty: venue, protocol, contract addresses.')),
          at: Type.Optional(dateTime('When the operation would be planned. Defaults to now.')),
          policy: Type.Optional(PolicyBody),
        }),
        response: { 200: envelope(Evaluation, 'The outcome.') },
      },
    },
    async (request) => {
      const { opWalletId, managedWalletId, at, amount, ...supposed } = request.body
      const { organizationId } = request.credential
      return ok(
        await evaluatePolicy(parts, organizationId, {
          ...supposed,
          amount: amount === undefined ? undefined : parseMoveAmount(amount),
          opWalletId: requestedOpWalletId({ opWalletId, managedWalletId }),
          at: at === undefined ? undefined : new Date(at),
        }),
      )
    },
  )
}

/** An amount of no particular token: as many decimals as are written. */
function parseMoveAmount(text: string): Parsed<Money> {
  const [, whole = '', fraction = ''] = DECIMAL_PATTERN.exec(text) ?? []
  const baseUnits = BigInt(whole + fraction)
  if (baseUnits > 0n) return new Money(baseUnits, fraction.length)
  return validationError('amount', 'must be a decimal amount above zero, such as "900.00"')
}
