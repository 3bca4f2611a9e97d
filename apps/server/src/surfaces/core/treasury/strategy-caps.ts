import Type from 'typebox'
import { listCaps, type RebalanceParts, type StrategyCap, setCap } from '../../../rebalancing/index.ts'
import { type App, ChangeRequested, envelope, id, idParams, ok, runVerb } from '../../http/index.ts'
import { byAdminsWithStepUp, byEveryoneAndServiceAccounts } from '../access.ts'
import { orNull } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { bpsOf, shareText, textOf } from './shares.ts'

const share = shareText(
  "Percentage of the organization's holdings of the token on the blockchain, deployed or not: 0 to 100.",
)

const Cap = Type.Object(
  {
    strategyId: id('Strategy.'),
    strategyName: Type.String({ description: 'Name of the strategy.' }),
    maxShare: orNull(share, 'Maximum share in percent; null for no cap.'),
    updatedAt: dateTime('When the cap was changed.'),
  },
  { $id: 'StrategyCap', description: 'A cap on the share of one strategy.' },
)

const present = ({ strategyId, strategyName, shareBps, updatedAt }: StrategyCap) => ({
  strategyId,
  strategyName,
  maxShare: shareBps === null ? null : textOf(shareBps),
  updatedAt: updatedAt.toISOString(),
})

const tags = ['Operational wallets']

/** Caps on the share of an organization's holdings in one strategy, which the allocator respects (contract 10). */
export function strategyCapRoutes(app: App, parts: RebalanceParts): void {
  app.get(
    '/api/core/strategy-caps',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'listStrategyCaps',
        summary: 'List caps on strategies',
        description: 'Strategies without a cap are not listed.',
        response: { 200: envelope(Type.Array(Cap), 'The caps.') },
      },
    },
    async ({ credential: { organizationId } }) => ok((await listCaps(parts, organizationId)).map(present)),
  )

  app.put(
    '/api/core/strategy-caps/:id',
    {
      config: { ...byAdminsWithStepUp, change: { kind: 'approval_policy' }, audit: { details: ['data.maxShare'] } },
      schema: {
        tags,
        operationId: 'setStrategyCap',
        summary: 'Cap the share of a strategy',
        description:
          'Limits automatic deployments, and requested ones without a strategy; existing positions stay. Deployments that name this strategy and supplies planned on v1 ignore the cap but count towards it. Null removes the cap. A rule for changes of the approval policy applies to this change too. Error: STRATEGY_NOT_FOUND.',
        params: idParams('Strategy id.'),
        body: Type.Object({ maxShare: orNull(share, 'Percent, or null for no cap.') }),
        response: { 200: envelope(Cap, 'The current cap.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const strategyId = request.params.id
      const { maxShare } = request.body
      const shareBps = maxShare === null ? null : bpsOf('maxShare', maxShare)
      const answer = (cap: StrategyCap) => ok(present(cap))
      return runVerb(reply, 200, answer, (transact) =>
        setCap(parts, { organizationId, strategyId, shareBps }, transact),
      )
    },
  )
}
