import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { RampDirection } from '../../../database/index.ts'
import { actorOf } from '../../../identity/index.ts'
import { SANDBOX_STEP_DELAY_MS } from '../../../kernel/index.ts'
import { type RampParts, type RampSimulation, SCENARIOS, simulateTransaction } from '../../../ramp/index.ts'
import { type App, id, idParams, runVerb } from '../../http/index.ts'
import { requireSimulator } from './require-simulator.ts'
import { centsOfNumber, usdNumber, writes } from './schemas.ts'

const SimulationHandle = Type.Object(
  {
    success: Type.Literal(true, { description: 'Always true.' }),
    data: Type.Object(
      {
        simulation_id: Type.String({ description: 'Simulation id.' }),
        state: Type.Literal('accepted', {
          description: 'Always accepted; the simulation continues in the background.',
        }),
      },
      { description: 'The simulation.' },
    ),
  },
  { $id: 'SimulationHandle', description: 'An accepted simulation.' },
)

const common = {
  scenario: Type.Enum([...SCENARIOS], { default: 'success', description: 'Outcome to simulate.' }),
  usd_amount: { ...usdNumber('Amount in USD with at most two decimal places.'), default: 50_000 },
  step_delay_ms: Type.Integer({
    minimum: 0,
    maximum: SANDBOX_STEP_DELAY_MS.max,
    default: SANDBOX_STEP_DELAY_MS.default,
    description: 'Delay between steps in milliseconds.',
  }),
}
const OnrampBody = Type.Object({
  ...common,
  onramp_account_id: Type.Optional(id('On-ramp account id. Defaults to the oldest account.')),
})
const OfframpBody = Type.Object({
  ...common,
  offramp_account_id: Type.Optional(id('Off-ramp account id. Defaults to the oldest account.')),
})
type Body = Static<typeof OnrampBody> & Static<typeof OfframpBody>

const present = ({ simulationId }: RampSimulation) => ({
  success: true as const,
  data: { simulation_id: simulationId, state: 'accepted' as const },
})

const ONRAMP =
  'Simulates a payment that arrives at the bank. A successful payment delivers real tokens on the embedded chain; a reversed one reverses the fiat payment but not the tokens.'
const OFFRAMP =
  'Sends real tokens to the deposit address on the embedded chain. The transaction starts once they are final. If it fails or is rejected, the tokens are returned on the chain.'
const ERRORS =
  'Errors: SANDBOX_ONLY in live; RECIPIENT_NOT_FOUND; ACCOUNT_NOT_FOUND, including if there are no accounts; RECIPIENT_ARCHIVED; VALIDATION_ERROR for a chain that is not embedded; SIMULATION_FAILED if the chain refuses the tokens; CHAIN_UNAVAILABLE.'

interface SimulationRequest {
  readonly body: Body
  readonly direction: RampDirection
  readonly recipientId: number | null
}

/** The simulators (spec 4.7, contract 11). In live every request returns SANDBOX_ONLY. */
export function rampSimulateRoutes(app: App, parts: RampParts): void {
  const tags = ['Ramp: simulator']
  const preValidation = requireSimulator(parts)
  const config = { ...writes, idempotent: 'plain', audit: { object: 'ramp_transaction', id: 'data.data.id' } } as const
  const simulate = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { body, direction, recipientId }: SimulationRequest,
  ) => {
    const input = {
      organizationId: request.credential.organizationId,
      direction,
      recipientId,
      accountId: direction === 'onramp' ? body.onramp_account_id : body.offramp_account_id,
      usdCents: centsOfNumber('usd_amount', body.usd_amount),
      scenario: body.scenario,
      delayMs: body.step_delay_ms,
      createdBy: actorOf(request.credential),
    }
    return runVerb(reply, 202, present, (transact) => simulateTransaction(parts, input, transact))
  }
  const response = { 202: SimulationHandle }
  const params = idParams('Recipient id.')

  app.post(
    '/v1/ramp/org/simulate-transaction',
    {
      config,
      preValidation,
      schema: {
        tags,
        operationId: 'simulateOnramp',
        summary: 'Sandbox: simulate a payment to an on-ramp account',
        description: `${ONRAMP} Any account of the organization or its recipients. ${ERRORS}`,
        body: OnrampBody,
        response,
      },
    },
    async (request, reply) => simulate(request, reply, { body: request.body, direction: 'onramp', recipientId: null }),
  )
  app.post(
    '/v1/ramp/org/simulate-offramp-transaction',
    {
      config,
      preValidation,
      schema: {
        tags,
        operationId: 'simulateOfframp',
        summary: 'Sandbox: send tokens to a deposit address',
        description: `${OFFRAMP} Any account of the organization or its recipients. ${ERRORS}`,
        body: OfframpBody,
        response,
      },
    },
    async (request, reply) => simulate(request, reply, { body: request.body, direction: 'offramp', recipientId: null }),
  )
  app.post(
    '/v1/ramp/recipients/:id/simulate-transaction',
    {
      config,
      preValidation,
      schema: {
        tags,
        operationId: 'simulateRecipientOnramp',
        summary: 'Sandbox: simulate a payment to an on-ramp account of a recipient',
        description: `${ONRAMP} ${ERRORS}`,
        params,
        body: OnrampBody,
        response,
      },
    },
    async (request, reply) =>
      simulate(request, reply, { body: request.body, direction: 'onramp', recipientId: request.params.id }),
  )
  app.post(
    '/v1/ramp/recipients/:id/simulate-offramp-transaction',
    {
      config,
      preValidation,
      schema: {
        tags,
        operationId: 'simulateRecipientOfframp',
        summary: 'Sandbox: send tokens to a deposit address of a recipient',
        description: `${OFFRAMP} ${ERRORS}`,
        params,
        body: OfframpBody,
        response,
      },
    },
    async (request, reply) =>
      simulate(request, reply, { body: request.body, direction: 'offramp', recipientId: request.params.id }),
  )
}
