import Type, { type Static } from 'typebox'
import type { IdentityParts } from '../../../identity/index.ts'
import { LIST_LIMIT_DEFAULT, POLICY_LIST_MAX, POLICY_NAME_LENGTH_MAX, POLICY_RULES_MAX } from '../../../kernel/index.ts'
import {
  evaluatePolicy,
  getPolicy,
  listPolicyVersions,
  type PolicyVersion,
  updatePolicy,
} from '../../../policy/index.ts'
import { type App, envelope, id, ok, pageQuery, runVerb, userCredentialOf } from '../../http/index.ts'
import { byAdmins, byEveryone } from '../access.ts'
import { orNull, requestedOpWalletId } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'

const outcomes = ['require_approval', 'approve', 'reject'] as const
const name = (description: string) => Type.String({ minLength: 1, maxLength: POLICY_NAME_LENGTH_MAX, description })
const names = (description: string) =>
  Type.Array(name('A name or an address.'), { minItems: 1, maxItems: POLICY_LIST_MAX, description })
const OperationType = Type.Enum(['SUPPLY', 'UNWIND'], { description: 'What the operation does.' })

const OutsideHours = Type.Object(
  {
    timezone: Type.String({ description: 'IANA name of a time zone.', examples: ['Europe/Berlin'] }),
    from: Type.String({ description: 'When the hours begin, `HH:MM`, included.', examples: ['08:00'] }),
    to: Type.String({
      description: 'When they end, `HH:MM`, excluded. Not after `from`: on the next day. `24:00`: midnight.',
      examples: ['18:00'],
    }),
    days: Type.Array(
      Type.Union([Type.String(), Type.Integer()], {
        description: 'A weekday: `mon` to `sun`, its whole name, or 1 (Monday) to 7 (Sunday); 0 is Sunday too.',
      }),
      {
        minItems: 1,
        maxItems: 7,
        description: 'The days on which the hours begin.',
        examples: [['mon', 'tue', 'wed']],
      },
    ),
  },
  {
    description:
      'Working hours on the wall clock of a time zone; the condition holds at every other time, and all day on days that are not listed. Hours over midnight belong to the day on which they begin.',
  },
)

const PolicyRuleData = Type.Object(
  {
    name: name('Names the rule where it decides; unique in the policy.'),
    when: Type.Object(
      {
        amountAtLeast: Type.Optional(
          Type.String({
            description: 'The amount of the whole move, decimal, this amount included.',
            examples: ['10000.00'],
          }),
        ),
        walletIds: Type.Optional(
          Type.Array(id('Wallet id.'), {
            minItems: 1,
            maxItems: POLICY_LIST_MAX,
            description: 'The wallet is one of these.',
          }),
        ),
        custodyProviders: Type.Optional(names("The wallet's custody provider is one of these, in any case.")),
        types: Type.Optional(Type.Array(OperationType, { minItems: 1, description: 'The type is one of these.' })),
        outsideHours: Type.Optional(OutsideHours),
        counterparties: Type.Optional(
          names("The venue's name, its protocol, or the address of one of its contracts is one of these, in any case."),
        ),
      },
      { description: 'Every condition that is there must hold; an empty object holds always.' },
    ),
    then: Type.Enum([...outcomes], { description: 'What happens to the operation when the rule decides.' }),
  },
  { $id: 'PolicyRule', description: 'A rule of an approval policy. The first one that holds decides.' },
)

const policyFields = {
  mode: Type.Enum(['automatic', 'manual', 'conditional'], {
    description:
      'automatic: every operation goes ahead. manual: every operation needs approval. conditional: the first rule that holds decides, then the default.',
  }),
  rules: Type.Array(PolicyRuleData, {
    maxItems: POLICY_RULES_MAX,
    description: 'Read from the first on, and in mode conditional only.',
  }),
  default: Type.Enum(['require_approval', 'approve'], { description: 'What happens when no rule holds.' }),
  requiredApprovals: Type.Integer({
    minimum: 1,
    maximum: 5,
    description: 'How many different people must approve an operation that needs approval.',
  }),
}
const PolicyBody = Type.Object(policyFields, { $id: 'ApprovalPolicy', description: 'How operations are approved.' })

const PolicyData = Type.Object(
  {
    ...policyFields,
    version: Type.Integer({ description: 'Counts the changes; 0: nobody has set a policy yet.' }),
    readable: Type.Boolean({
      description: 'False when what is stored cannot be understood; every operation then needs one approval.',
    }),
    updatedAt: orNull(dateTime('When it was set.'), 'When it was set; null for version 0.'),
    updatedBy: orNull(
      Type.Object({
        id: id('User id.'),
        email: Type.String({ description: 'E-mail address.' }),
        name: orNull(Type.String(), 'How the person is called; null if never said.'),
      }),
      'Who set it; null for version 0.',
    ),
  },
  { $id: 'ApprovalPolicyVersion', description: 'An approval policy, with who set it and when.' },
)

const Evaluation = Type.Object(
  {
    outcome: Type.Enum([...outcomes], { description: 'What would happen to the operation.' }),
    rule: orNull(Type.String(), 'The rule that decides; null when the mode or the default does.'),
    requiredApprovals: Type.Integer({ description: 'How many approvals it would need; 0 when it needs none.' }),
    explanation: Type.String({ description: 'Why, in a sentence.' }),
  },
  { $id: 'PolicyEvaluation', description: 'What the policy says of an operation.' },
)

const presentPolicy = ({ version, policy, isReadable, changedAt, changedBy }: PolicyVersion) => ({
  // What the schema describes is what the policy is; only its arrays are not said to be read-only.
  ...(policy as Static<typeof PolicyBody>),
  version,
  readable: isReadable,
  updatedAt: changedAt?.toISOString() ?? null,
  updatedBy: changedBy,
})

const tags = ['Approval policy']

/** How operations are approved: `/api/core/approval-policy` (contract 7). */
export function approvalPolicyRoutes(app: App, parts: IdentityParts): void {
  app.get(
    '/api/core/approval-policy',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'getApprovalPolicy',
        summary: 'Get the approval policy',
        description:
          'The policy in force. An organization that never set one has mode automatic: nothing waits for people.',
        response: { 200: envelope(PolicyData, 'The policy.') },
      },
    },
    async (request) => ok(presentPolicy(await getPolicy(parts, userCredentialOf(request).organizationId))),
  )

  app.put(
    '/api/core/approval-policy',
    {
      config: { ...byAdmins, audit: { details: ['data.version'] } },
      schema: {
        tags,
        operationId: 'changeApprovalPolicy',
        summary: 'Change the approval policy',
        description:
          'Replaces the policy as a whole. The policy in force when an operation is planned decides; operations that wait already go on waiting. A condition that does not exist is refused (400 VALIDATION_ERROR): a rule that lost one would hold more often than was meant.',
        body: PolicyBody,
        response: { 200: envelope(PolicyData, 'The policy that is in force now.') },
      },
    },
    async (request, reply) => {
      const present = (record: PolicyVersion) => ok(presentPolicy(record))
      return runVerb(reply, 200, present, (transact) =>
        updatePolicy(parts, userCredentialOf(request), request.body, transact),
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
        summary: 'List the changes of the approval policy',
        description: 'Every version that was ever in force, newest first, with who set it and when.',
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
      config: { ...byEveryone, audit: false },
      schema: {
        tags,
        operationId: 'evaluateApprovalPolicy',
        summary: 'Ask what would happen to an operation',
        description:
          'Judges an operation by the policy in force, or by one that you try out, and changes nothing. Say what you know of it: what a rule needs and is not known asks for approval. A wallet tells its custody provider, and a strategy its counterparties, unless you say otherwise. Errors: WALLET_NOT_FOUND, STRATEGY_NOT_FOUND.',
        body: Type.Object({
          type: Type.Optional(OperationType),
          amount: Type.Optional(
            Type.String({ description: 'Amount of the whole move, decimal.', examples: ['900.00'] }),
          ),
          walletId: Type.Optional(id('Wallet id.')),
          opWalletId: Type.Optional(id('Operational wallet id; tells the wallet.')),
          managedWalletId: Type.Optional(id('The same as opWalletId.')),
          strategyId: Type.Optional(id('Strategy id; tells the counterparties.')),
          custodyProvider: Type.Optional(name("The wallet's custody provider.")),
          counterparties: Type.Optional(
            names('The counterparty under all its names: venue, protocol, addresses of contracts.'),
          ),
          at: Type.Optional(dateTime('When the operation would be planned; now, if not said.')),
          policy: Type.Optional(PolicyBody),
        }),
        response: { 200: envelope(Evaluation, 'What would happen.') },
      },
    },
    async (request) => {
      const { opWalletId, managedWalletId, at, ...supposed } = request.body
      const { organizationId } = userCredentialOf(request)
      return ok(
        await evaluatePolicy(parts, organizationId, {
          ...supposed,
          opWalletId: requestedOpWalletId({ opWalletId, managedWalletId }),
          at: at === undefined ? undefined : new Date(at),
        }),
      )
    },
  )
}
