import Type from 'typebox'
import type { Tx } from '../../../database/index.ts'
import { actorOf } from '../../../identity/index.ts'
import {
  type Customer,
  checkKyb,
  findOrganizationCustomer,
  listAccounts,
  oldestAccount,
  type RampParts,
  simulateKyb,
  startKyb,
} from '../../../ramp/index.ts'
import { type App, createdBy, runVerb } from '../../http/index.ts'
import { orNull } from '../schemas.ts'
import { requireSimulator } from './require-simulator.ts'
import { kybStatus, MaskedOnrampAccount, presentMaskedOnramp, reads, writes } from './schemas.ts'

const KybBody = Type.Object(
  {
    kybStatus: orNull(kybStatus),
    applicationUrl: orNull(
      Type.String({ description: 'URL of the verification form; null before the verification starts.' }),
    ),
    onrampAccount: orNull(MaskedOnrampAccount),
    onrampAccounts: Type.Array(MaskedOnrampAccount, {
      description: 'All on-ramp accounts of the organization itself, newest first.',
    }),
    createdBy: Type.Optional(createdBy('Who started the verification; absent if an earlier version did.')),
  },
  { $id: 'KybStatus', description: 'Verification status of the organization.' },
)

const KybStarted = Type.Object(
  {
    kyb_status: kybStatus,
    kyb_url: Type.String({ description: 'URL of the verification form. Anyone who has it can submit the form.' }),
  },
  { $id: 'KybStarted', description: 'A started verification.' },
)

const audit = { object: 'verification' }

/** Makes a link absolute; responses contain only absolute URLs. */
export const absoluteUrl = (link: string, publicUrl: string): string => (link.startsWith('/') ? publicUrl + link : link)

const isReadable = ({ unreadable }: Customer): boolean => !unreadable?.includes('kybLink')

/** Verification of the organization itself (spec 3.5 and 4.7, contract 11). */
export function rampKybRoutes(app: App, parts: RampParts, publicUrl: string): void {
  const tags = ['Ramp: verification']
  const started = (customer: Customer) => ({
    kyb_status: customer.kybStatus,
    kyb_url: absoluteUrl(customer.kybLink, publicUrl),
  })
  const bodyOf = async (organizationId: number, customer: Customer | undefined, db: RampParts['db'] = parts.db) => {
    const own = { customerId: customer?.customerId ?? 0, direction: 'onramp' as const }
    const { accounts } = await listAccounts({ ...parts, db }, organizationId, own)
    const primary = await oldestAccount({ ...parts, db }, organizationId, own)
    return {
      kybStatus: customer?.kybStatus ?? null,
      applicationUrl: customer && isReadable(customer) ? absoluteUrl(customer.kybLink, publicUrl) : null,
      onrampAccount: primary ? presentMaskedOnramp(primary) : null,
      onrampAccounts: accounts.map(presentMaskedOnramp),
      ...(customer?.createdBy && { createdBy: customer.createdBy }),
    }
  }

  app.post(
    '/v1/ramp/org/kyb/start',
    {
      config: { ...writes, idempotent: 'plain', audit },
      schema: {
        tags,
        operationId: 'startOrganizationKyb',
        summary: 'Start the verification of your organization',
        description:
          'Returns `kyb_url`, the form to fill in. Repeating the call changes nothing, unless the verification was declined: it then starts again with a new form. Errors: CONFLICT at the quota of pending verifications; RAMP_UNAVAILABLE.',
        response: { 200: KybStarted },
      },
    },
    async (request, reply) => {
      const { credential } = request
      const input = { organizationId: credential.organizationId, createdBy: actorOf(credential) }
      return runVerb(reply, 200, started, (transact) => startKyb(parts, input, transact))
    },
  )

  app.get(
    '/v1/ramp/org/kyb/status',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'getOrganizationKyb',
        summary: 'Get the verification status of your organization',
        description: 'Includes the on-ramp accounts of the organization, with masked account numbers.',
        response: { 200: KybBody },
      },
    },
    async ({ credential: { organizationId } }) =>
      bodyOf(organizationId, await findOrganizationCustomer(parts, organizationId)),
  )

  app.post(
    '/v1/ramp/org/kyb/check-status',
    {
      config: { ...writes, audit },
      schema: {
        tags,
        operationId: 'checkOrganizationKyb',
        summary: 'Refresh the verification status from the provider',
        description: "Use it if you do not want to wait for the provider's event. Error: RAMP_UNAVAILABLE.",
        response: { 200: KybBody },
      },
    },
    async ({ credential: { organizationId } }) => bodyOf(organizationId, await checkKyb(parts, organizationId)),
  )

  for (const [word, status] of [
    ['approve', 'approved'],
    ['reject', 'declined'],
  ] as const) {
    app.post(
      `/v1/ramp/org/kyb/simulate-${word}`,
      {
        config: { ...writes, idempotent: 'plain', audit },
        preValidation: requireSimulator(parts),
        schema: {
          tags,
          operationId: `simulate${word === 'approve' ? 'Approval' : 'Rejection'}OfOrganization`,
          summary: `Sandbox: ${word} the verification of your organization`,
          description:
            'Simulates the decision of the provider on a pending or submitted verification. Errors: SANDBOX_ONLY in live; CONFLICT before the verification starts and once it is decided.',
          response: { 200: KybBody },
        },
      },
      async (request, reply) => {
        const { organizationId } = request.credential
        const present = (customer: Customer, tx?: Tx) => bodyOf(organizationId, customer, tx)
        const input = { organizationId, recipientId: null, status }
        return runVerb(reply, 200, present, (transact) => simulateKyb(parts, input, transact))
      },
    )
  }
}
