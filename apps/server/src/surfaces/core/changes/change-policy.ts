import Type from 'typebox'
import {
  CHANGE_KINDS,
  type ChangeKind,
  type ChangeParts,
  type ChangePolicy,
  type ChangeRule,
  getChangePolicy,
  updateChangePolicy,
} from '../../../changes/index.ts'
import { CHANGE_APPROVALS_MAX, COOLING_OFF_SECONDS_MAX } from '../../../kernel/index.ts'
import { type App, ChangeRequested, envelope, id, ok, runVerb, userCredentialOf } from '../../http/index.ts'
import { byEveryoneAndServiceAccounts, byOwnersWithStepUp } from '../access.ts'
import { orNull } from '../formats.ts'
import { basedOnVersion, dateTime } from '../schemas.ts'

const Rule = Type.Object(
  {
    requiredApprovals: Type.Integer({
      minimum: 0,
      maximum: CHANGE_APPROVALS_MAX,
      description: 'Different members, besides the requester, who must approve.',
    }),
    coolingOffSeconds: Type.Integer({
      minimum: 0,
      maximum: COOLING_OFF_SECONDS_MAX,
      description: 'How long the change waits after the last approval.',
    }),
  },
  { $id: 'ChangeRule', description: 'What a change needs. With both fields 0 it is made at once.' },
)

const MEANINGS: Readonly<Record<ChangeKind, string>> = {
  approval_policy:
    'The approval policy for operations, the limits on deposits, the caps on strategies, and the circuit breakers.',
  change_policy:
    'This policy. A change of it always needs the most approvals and the longest period that any kind needs.',
  members:
    'Adding, inviting and removing a member, changing a role, setting the password and removing the second factors of another member, requiring second factors or lifting that, and adding and changing an identity provider.',
  keys: 'Generating and rotating API keys.',
  webhooks: 'Creating a webhook and changing its URL.',
  payout_accounts: 'Creating and changing recipients, and opening off-ramp accounts.',
  onramp_destinations: 'Opening on-ramp accounts, whose payments arrive in a wallet.',
  destinations: 'The allow-list of destinations.',
}

const rules = Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, Type.Optional(Rule)])) as Record<
  ChangeKind,
  ReturnType<typeof Type.Optional<typeof Rule>>
>
const allRules = Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, Rule])) as Record<ChangeKind, typeof Rule>
const RULES_TEXT = CHANGE_KINDS.map((kind) => `\`${kind}\`: ${MEANINGS[kind]}`).join(' ')

const ChangePolicyData = Type.Object(
  {
    rules: Type.Object(allRules, { description: `The rule of each kind of change. ${RULES_TEXT}` }),
    version: Type.Integer({ description: 'Version number; 0 before a policy was set.' }),
    updatedAt: orNull(dateTime('When the policy was set.'), 'When the policy was set; null before.'),
    updatedBy: orNull(
      Type.Object(
        {
          id: id('User id.'),
          email: Type.String({ description: 'Email address.' }),
          name: orNull(Type.String(), 'Display name; null if not set.'),
        },
        { description: 'A user.' },
      ),
      'The user who set the policy; null before, and if the operator of the host reset it.',
    ),
  },
  { $id: 'ChangePolicy', description: 'Which changes of the configuration need approvals, and a cooling-off period.' },
)

const present = ({ rules: inForce, version, changedAt, changedBy }: ChangePolicy) =>
  ok({
    rules: Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, { ...inForce[kind] }])) as Record<
      ChangeKind,
      ChangeRule
    >,
    version,
    updatedAt: changedAt?.toISOString() ?? null,
    updatedBy: changedBy,
  })

const tags = ['Change requests']

/** The change policy: `/api/core/change-policy`. */
export function changePolicyRoutes(app: App, parts: ChangeParts): void {
  app.get(
    '/api/core/change-policy',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'getChangePolicy',
        summary: 'Get the change policy',
        description: 'Returns the rules in force. By default no change needs approval.',
        response: { 200: envelope(ChangePolicyData, 'The change policy.') },
      },
    },
    async (request) => present(await getChangePolicy(parts.db, request.credential.organizationId)),
  )

  app.put(
    '/api/core/change-policy',
    {
      config: {
        ...byOwnersWithStepUp,
        change: { kind: 'change_policy' },
        audit: { details: ['data.version', 'data.rules'] },
      },
      schema: {
        tags,
        operationId: 'changeChangePolicy',
        summary: 'Change the change policy',
        description:
          'Only owners change it. Replaces all rules; a kind that is not named has none. Once any rule is set, any change to this policy, even one that relaxes it, needs approval. Requests that are open keep the rule that they were made under. Returns 409 CONFLICT (`details.reason` `too_few_approvers`) if more approvals are demanded than there are owners, admins and approvers who can sign in besides the requester, and (`changed_meanwhile`) if `basedOnVersion` is no longer in force.',
        body: Type.Object({
          rules: Type.Object(rules, { description: `The rule of each kind of change. ${RULES_TEXT}` }),
          basedOnVersion,
        }),
        response: { 200: envelope(ChangePolicyData, 'The policy now in force.'), 202: ChangeRequested },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, present, (transact) =>
        updateChangePolicy(parts, userCredentialOf(request), request.body, transact),
      ),
  )
}
