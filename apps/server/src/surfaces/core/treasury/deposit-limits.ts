import Type, { type Static } from 'typebox'
import { DEPOSIT_LIMIT_ENTRIES_MAX, NAME_LENGTH_MAX, validationError } from '../../../kernel/index.ts'
import {
  type DepositLimits,
  getDepositLimits,
  type LimitsInForce,
  type RebalanceParts,
  setDepositLimits,
} from '../../../rebalancing/index.ts'
import { type App, ChangeRequested, envelope, id, ok, runVerb } from '../../http/index.ts'
import { byAdminsWithStepUp, byEveryoneAndServiceAccounts } from '../access.ts'
import { orNull } from '../formats.ts'
import { basedOnFrom, basedOnUpdatedAt, dateTime } from '../schemas.ts'
import { bpsOf, shareText, textOf } from './shares.ts'

const limitFields = {
  allowedStrategies: orNull(
    Type.Array(id('Strategy id.'), {
      maxItems: DEPOSIT_LIMIT_ENTRIES_MAX,
      description: 'The only strategies that may take deposits.',
    }),
    'The only strategies that may take deposits; null: all of them. An empty list stops deposits.',
  ),
  caps: Type.Array(
    Type.Object(
      {
        kind: Type.Enum(['strategy', 'protocol', 'blockchain'], { description: 'What the cap counts.' }),
        of: Type.String({
          minLength: 1,
          maxLength: NAME_LENGTH_MAX,
          description:
            'A strategy id; the name of a venue or a protocol identifier, on all blockchains; or a blockchain.',
          examples: ['Morpho'],
        }),
        maxShare: shareText('Percentage of everything that the organization holds, deployed or not: 0 to 100.'),
      },
      { description: 'A cap on the share of everything that the organization holds.' },
    ),
    { maxItems: DEPOSIT_LIMIT_ENTRIES_MAX, description: 'Each counts all deposits that it covers together.' },
  ),
  maxPoolShare: orNull(
    shareText("Percentage of a strategy's TVL."),
    "The largest share of a strategy's TVL that may be the organization's; null: no limit.",
  ),
  maxLiquidityShare: orNull(
    shareText('Percentage of the liquidity.'),
    'The largest position, as a percentage of what all depositors could withdraw; null: no limit. Does not apply to strategies whose `liquidity` is not known.',
  ),
  maxPriceFall: Type.Optional(
    orNull(
      shareText('Percentage.'),
      'No deposit while the share price is more than this below its highest daily reading of 30 days; null: no limit.',
    ),
  ),
  minWithdrawableShare: Type.Optional(
    orNull(
      shareText('Percentage of the position.'),
      'No deposit while less than this share of the position could be withdrawn at the last readings; null: no limit.',
    ),
  ),
}

const LimitsBody = Type.Object({ ...limitFields, basedOnUpdatedAt })
const LimitsData = Type.Object(
  {
    ...limitFields,
    updatedAt: orNull(
      dateTime('When they were set.'),
      'When the organization set them; null while the defaults of the installation apply.',
    ),
  },
  { $id: 'DepositLimits', description: 'What Weir may deposit on its own initiative, and where.' },
)

const textOrNull = (bps: number | null | undefined) => (typeof bps === 'number' ? textOf(bps) : null)
const bpsOrNull = (path: string, text: string | null) => (text === null ? null : bpsOf(path, text))

const present = ({ limits, updatedAt }: LimitsInForce) => ({
  allowedStrategies: limits.allowedStrategies && [...limits.allowedStrategies],
  caps: limits.caps.map(({ kind, of, shareBps }) => ({ kind, of, maxShare: textOf(shareBps) })),
  maxPoolShare: textOrNull(limits.poolShareBps),
  maxLiquidityShare: textOrNull(limits.liquidityShareBps),
  maxPriceFall: textOrNull(limits.priceFallBps),
  minWithdrawableShare: textOrNull(limits.withdrawableShareBps),
  updatedAt: updatedAt?.toISOString() ?? null,
})

function limitsFrom(body: Static<typeof LimitsBody>): DepositLimits {
  const { allowedStrategies, caps, maxPoolShare, maxLiquidityShare } = body
  const { maxPriceFall = null, minWithdrawableShare = null } = body
  if (new Set(allowedStrategies).size !== (allowedStrategies?.length ?? 0))
    throw validationError('allowedStrategies', 'must not repeat an id')
  return {
    allowedStrategies,
    caps: caps.map(({ kind, of, maxShare }, index) => ({
      kind,
      of,
      shareBps: bpsOf(`caps[${index}].maxShare`, maxShare),
    })),
    poolShareBps: bpsOrNull('maxPoolShare', maxPoolShare),
    liquidityShareBps: bpsOrNull('maxLiquidityShare', maxLiquidityShare),
    priceFallBps: bpsOrNull('maxPriceFall', maxPriceFall),
    withdrawableShareBps: bpsOrNull('minWithdrawableShare', minWithdrawableShare),
  }
}

const tags = ['Risk']

/** What Weir may deposit where on its own: `/api/core/deposit-limits`. */
export function depositLimitRoutes(app: App, parts: RebalanceParts): void {
  app.get(
    '/api/core/deposit-limits',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'getDepositLimits',
        summary: 'Get the limits on deposits',
        description: 'The limits in force: those of the organization, or the defaults of the installation.',
        response: { 200: envelope(LimitsData, 'The limits.') },
      },
    },
    async ({ credential: { organizationId } }) => ok(present(await getDepositLimits(parts, organizationId))),
  )

  app.put(
    '/api/core/deposit-limits',
    {
      config: {
        ...byAdminsWithStepUp,
        change: { kind: 'approval_policy' },
        audit: {
          details: [
            'data.allowedStrategies',
            'data.caps',
            'data.maxPoolShare',
            'data.maxLiquidityShare',
            'data.maxPriceFall',
            'data.minWithdrawableShare',
          ],
        },
      },
      schema: {
        tags,
        operationId: 'setDepositLimits',
        summary: 'Set the limits on deposits',
        description:
          'Replaces all limits. They limit automatic deployments, and requested ones without a strategy; existing positions stay. Deployments that name a strategy and supplies planned on v1 ignore the limits but count towards them. A rule for changes of the approval policy applies to this change too. A name that is not in the catalogue: 400 VALIDATION_ERROR. Returns 409 CONFLICT (`details.reason` `changed_meanwhile`) if the limits changed since `basedOnUpdatedAt`.',
        body: LimitsBody,
        response: { 200: envelope(LimitsData, 'The limits now in force.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const input = {
        organizationId,
        limits: limitsFrom(request.body),
        basedOn: basedOnFrom(request.body.basedOnUpdatedAt),
      }
      return runVerb(
        reply,
        200,
        (inForce: LimitsInForce) => ok(present(inForce)),
        (transact) => setDepositLimits(parts, input, transact),
      )
    },
  )
}
