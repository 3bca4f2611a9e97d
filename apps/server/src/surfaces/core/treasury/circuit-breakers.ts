import Type, { type Static } from 'typebox'
import {
  acceptBreaker,
  BREAKER_KINDS,
  type BreakerSettings,
  type BreakerSettingsInForce,
  listBreakers,
  type NamedBreaker,
  observationText,
  readBreakerSettings,
  setBreakerSettings,
} from '../../../breakers/index.ts'
import { BREAKER_RECOVERY_SECONDS, NAME_LENGTH_MAX } from '../../../kernel/index.ts'
import type { RebalanceParts } from '../../../rebalancing/index.ts'
import { type App, ChangeRequested, envelope, id, ok, runVerb } from '../../http/index.ts'
import { byAdminsWithStepUp, byEveryoneAndServiceAccounts } from '../access.ts'
import { orNull } from '../formats.ts'
import { basedOnFrom, basedOnUpdatedAt, dateTime } from '../schemas.ts'
import { bpsOf, shareText, textOf } from './shares.ts'

const settingFields = {
  maxPriceFall: orNull(
    shareText('Percentage.'),
    'Opens when the share price is more than this below its highest daily reading of 30 days; null: off.',
  ),
  maxPegDistance: orNull(
    shareText('Percentage of 1 US dollar.'),
    'Opens when the price of the token deviates from 1 US dollar by more than this; null: off.',
  ),
  minWithdrawableShare: orNull(
    shareText('Percentage of the position.'),
    'Opens when less than this share of the position can be withdrawn; null: off.',
  ),
  onUpgrade: Type.Boolean({ description: 'Whether new code at a contract of the strategy opens a breaker.' }),
  withdraw: Type.Boolean({
    description: 'Whether the rebalancer withdraws everything from a strategy while a breaker of it is open.',
  }),
  recoverySeconds: Type.Integer({
    ...BREAKER_RECOVERY_SECONDS,
    description: 'How long the fact must be fine before its breaker closes without a person.',
  }),
}

const SettingsBody = Type.Object({ ...settingFields, basedOnUpdatedAt })
const kind = Type.Enum([...BREAKER_KINDS], {
  description:
    '`price_fall`: the share price fell. `depeg`: the token is off its peg. `illiquidity`: too little of the position can be withdrawn. `upgrade`: the code of a contract was replaced.',
})

const observation = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: NAME_LENGTH_MAX,
    description: 'The `observation` of the breaker, or of its event, that you reviewed. Always send it.',
  }),
)

const Breaker = Type.Object(
  {
    strategyId: id('Strategy.'),
    strategyName: Type.String({ description: 'Name of the strategy.' }),
    kind,
    state: Type.Enum(['closed', 'open', 'recovering', 'accepted'], {
      description:
        '`open` stops deposits. `recovering` does too: the fact is fine again, but not yet for long enough. `accepted`: somebody accepted the fact, and deposits continue.',
    }),
    measure: orNull(
      Type.String({ description: 'Percentage.', examples: ['3.00'] }),
      'When it was last announced or changed its state: the fall of the price, the distance from 1 US dollar, or the share of the position that could be withdrawn. Null for an upgrade.',
    ),
    observation: orNull(
      Type.String({ description: 'Opaque: compare it, and send it back.', examples: ['3.00'] }),
      'What it announced last, which an acceptance names: the measure, or a fingerprint of the contracts and their code. Another one means that the fact became worse. Null until it is announced.',
    ),
    openedAt: orNull(dateTime('When it opened.'), 'When it last opened.'),
    fineSince: orNull(dateTime('Since when.'), 'When the fact became fine again; null unless `recovering`.'),
  },
  { $id: 'CircuitBreaker', description: 'A circuit breaker of the organization and a strategy.' },
)

const BreakersData = Type.Object(
  {
    ...settingFields,
    updatedAt: orNull(dateTime('When they were set.'), 'When the settings were set; null if never: all are off.'),
    breakers: Type.Array(Breaker, { description: 'The breakers that are not closed, by strategy.' }),
  },
  { $id: 'CircuitBreakers', description: 'Settings of the circuit breakers, and those that are not closed.' },
)

const textOrNull = (bps: number | null) => (bps === null ? null : textOf(bps))

const presentBreaker = (breaker: NamedBreaker) => ({
  strategyId: breaker.strategyId,
  strategyName: breaker.strategyName,
  kind: breaker.kind,
  state: breaker.state,
  measure: textOrNull(breaker.measure),
  observation: observationText(breaker.kind, breaker.observed),
  openedAt: breaker.openedAt?.toISOString() ?? null,
  fineSince: breaker.state === 'recovering' ? breaker.fineSince.toISOString() : null,
})

const present = ({ settings, updatedAt }: BreakerSettingsInForce, breakers: readonly NamedBreaker[]) => ({
  maxPriceFall: textOrNull(settings.priceFallBps),
  maxPegDistance: textOrNull(settings.pegDistanceBps),
  minWithdrawableShare: textOrNull(settings.withdrawableShareBps),
  onUpgrade: settings.onUpgrade,
  withdraw: settings.withdraw,
  recoverySeconds: settings.recoverySeconds,
  updatedAt: updatedAt?.toISOString() ?? null,
  breakers: breakers.map(presentBreaker),
})

function settingsFrom(body: Static<typeof SettingsBody>): BreakerSettings {
  const { maxPriceFall, maxPegDistance, minWithdrawableShare, basedOnUpdatedAt: _, ...rest } = body
  const bps = (path: string, text: string | null) => (text === null ? null : bpsOf(path, text))
  return {
    ...rest,
    priceFallBps: bps('maxPriceFall', maxPriceFall),
    pegDistanceBps: bps('maxPegDistance', maxPegDistance),
    withdrawableShareBps: bps('minWithdrawableShare', minWithdrawableShare),
  }
}

const tags = ['Risk']

/** What stops Weir's own deposits, or makes it withdraw: `/api/core/circuit-breakers`. */
export function circuitBreakerRoutes(app: App, parts: RebalanceParts): void {
  app.get(
    '/api/core/circuit-breakers',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'getCircuitBreakers',
        summary: 'Get the circuit breakers',
        description: 'The settings of the organization, and its circuit breakers that are not closed.',
        response: { 200: envelope(BreakersData, 'The settings and the breakers.') },
      },
    },
    async ({ credential: { organizationId } }) => {
      const settings = await readBreakerSettings(parts.db, organizationId)
      return ok(present(settings, await listBreakers(parts.db, organizationId)))
    },
  )

  app.put(
    '/api/core/circuit-breakers',
    {
      config: {
        ...byAdminsWithStepUp,
        change: { kind: 'approval_policy' },
        audit: {
          details: [
            'data.maxPriceFall',
            'data.maxPegDistance',
            'data.minWithdrawableShare',
            'data.onUpgrade',
            'data.withdraw',
            'data.recoverySeconds',
          ],
        },
      },
      schema: {
        tags,
        operationId: 'setCircuitBreakers',
        summary: 'Set the circuit breakers',
        description:
          'Replaces all settings. While a breaker of a strategy is open, Weir does not deposit there on its own, and aborts deployments of the rebalancer whose bytes were not issued. Deployments that name the strategy, and supplies planned on v1, still proceed. A breaker closes when its fact was fine for `recoverySeconds`, when somebody accepts it, or when it is switched off. Emits `strategy.breaker_opened` and `strategy.breaker_closed`. A rule for changes of the approval policy applies to this change too. Returns 409 CONFLICT (`details.reason` `changed_meanwhile`) if the settings changed since `basedOnUpdatedAt`.',
        body: SettingsBody,
        response: {
          200: envelope(BreakersData, 'The settings now in force, with no breakers listed.'),
          202: ChangeRequested,
        },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const input = {
        organizationId,
        settings: settingsFrom(request.body),
        basedOn: basedOnFrom(request.body.basedOnUpdatedAt),
      }
      return runVerb(
        reply,
        200,
        (stored: BreakerSettingsInForce) => ok(present(stored, [])),
        (transact) => setBreakerSettings(parts, input, transact),
      )
    },
  )

  app.post(
    '/api/core/circuit-breakers/accept',
    {
      config: {
        ...byAdminsWithStepUp,
        idempotent: 'plain',
        idempotentByUser: true,
        change: { kind: 'approval_policy' },
        conflict: 'The circuit breaker is not open, or its fact is not the one that was seen.',
        audit: { details: ['data.strategyId', 'data.kind', 'data.measure', 'data.observation'] },
      },
      schema: {
        tags,
        operationId: 'acceptCircuitBreaker',
        summary: 'Accept the fact behind an open circuit breaker',
        description:
          'Deposits into the strategy resume at once. The breaker opens again when the price falls, or the token leaves its peg, by as much as the threshold again; for an upgrade, when the code changes again; for liquidity, when it recovers and falls again. Send the `observation` that you reviewed, so that nothing else is accepted: if the fact is another one, or has become worse by the threshold again (liquidity: has halved), the request returns 409 CONFLICT (`details.reason` `observation_differs`) with the present `observation`. Without it, the request accepts what the breaker announced last; for a change request, what it had announced when the change was requested. Errors: STRATEGY_NOT_FOUND; CONFLICT with `details.reason` `breaker_not_open`.',
        body: Type.Object({ strategyId: id('Strategy.'), kind, observation }),
        response: { 200: envelope(Breaker, 'The breaker.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const input = { ...request.body, organizationId, requestedAt: request.changeRequestedAt }
      return runVerb(
        reply,
        200,
        (breaker: NamedBreaker) => ok(presentBreaker(breaker)),
        (transact) => acceptBreaker(parts, input, transact),
      )
    },
  )
}
