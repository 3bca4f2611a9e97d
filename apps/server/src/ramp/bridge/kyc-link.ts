import type { KybStatus } from '../../database/index.ts'
import { type Clock, Failure } from '../../kernel/index.ts'
import type { Applicant, Onboarding, OnboardingEvent } from '../provider/port.ts'
import { BridgeApiError, type BridgeClient, timeOfReading } from './client.ts'
import { createOnce, type IntentParts } from './create-once.ts'
import { type BridgeJson, objectOf, textOf } from './json-fields.ts'
import { sequenceOf } from './sequence.ts'

export interface KycLinkParts extends IntentParts {
  readonly clock: Clock
  readonly client: BridgeClient
  /**
   * Receives the partner's emails to customers. The partner requires an address per customer; Weir does not collect
   * any.
   */
  readonly contactEmail: string
}

const STATUS: Readonly<Record<string, KybStatus>> = {
  not_started: 'pending',
  incomplete: 'pending',
  awaiting_questionnaire: 'pending',
  awaiting_ubo: 'pending',
  under_review: 'submitted',
  manual_review: 'submitted',
  rejected: 'declined',
  paused: 'declined',
  offboarded: 'declined',
}

/**
 * Starts a verification. An organization that starts again gets its existing link: the partner continues with the same
 * customer. Error: RAMP_UNAVAILABLE.
 */
export async function startOnboarding(parts: KycLinkParts, applicant: Applicant): Promise<Onboarding> {
  const { organizationId, kind, name, type } = applicant
  const isOrganization = kind === 'organization'
  const parameters = isOrganization ? [kind] : [kind, name, type]
  const link = await createOnce(
    parts,
    { organizationId, kind: 'onboarding', parameters, isShared: isOrganization },
    {
      find: async (reference) => (reference === null ? undefined : parts.client.get(`/kyc_links/${reference}`)),
      create: (key, token) => createLink(parts, applicant, key, token),
    },
  ).catch((error: unknown) => {
    throw error instanceof BridgeApiError ? new Failure('RAMP_UNAVAILABLE', { cause: error }) : error
  })
  return { reference: textOf(link, 'id') ?? '', link: hostedFormUrl(link) }
}

async function createLink(parts: KycLinkParts, { kind, name, type }: Applicant, key: string, token: string) {
  const [user, host] = parts.contactEmail.split('@')
  const body = {
    full_name: name,
    email: `${user}+${token}@${host}`,
    type: kind === 'recipient' && type === 'individual' ? 'individual' : 'business',
  }
  try {
    return await parts.client.post('/kyc_links', body, key)
  } catch (error) {
    // There is one link per address, and only this intent uses the address: the response to an earlier call was lost.
    const existing = error instanceof BridgeApiError ? objectOf(error.body, 'existing_kyc_link') : undefined
    if (existing) return existing
    throw error
  }
}

/** Customers must accept the terms of service and fill in the form; the first page redirects to the second. */
function hostedFormUrl(link: BridgeJson): string {
  const form = textOf(link, 'kyc_link') ?? ''
  const terms = textOf(link, 'tos_link')
  if (terms === undefined || textOf(link, 'tos_status') === 'approved') return absolute(form)
  const url = new URL(absolute(terms))
  url.searchParams.set('redirect_uri', absolute(form))
  return url.href
}

const absolute = (link: string): string => (link.includes('://') ? link : `https://${link}`)

/** The KYB status of a link; `undefined` for a status that is not in the API reference. */
export function kybStatusOf(link: BridgeJson): KybStatus | undefined {
  const status = textOf(link, 'kyc_status') ?? ''
  if (status === 'approved') return textOf(link, 'tos_status') === 'pending' ? 'submitted' : 'approved'
  return Object.hasOwn(STATUS, status) ? STATUS[status] : undefined
}

/** Fetches the current status of a verification. Error: RAMP_UNAVAILABLE. */
export async function fetchOnboardingEvent(
  { client, clock }: Pick<KycLinkParts, 'client' | 'clock'>,
  reference: string,
): Promise<OnboardingEvent | undefined> {
  const before = clock.now().getTime()
  const dated = await client.getDated(`/kyc_links/${encodeURIComponent(reference)}`)
  const after = clock.now().getTime()
  const sequence = sequenceOf(timeOfReading(dated?.date, { before, after }), 0)
  const status = dated && kybStatusOf(dated.body)
  if (!status) return undefined
  return { kind: 'onboarding', id: `${reference}:${sequence}`, subject: reference, sequence, status, isReading: true }
}

/** The partner's customer of a verification, created at the latest on approval. Errors: KYB_NOT_APPROVED, RAMP_UNAVAILABLE. */
export async function fetchBridgeCustomerId(
  { client }: Pick<KycLinkParts, 'client'>,
  reference: string,
): Promise<string> {
  const customer = textOf(await client.get(`/kyc_links/${encodeURIComponent(reference)}`), 'customer_id')
  if (customer === undefined) throw new Failure('KYB_NOT_APPROVED')
  return encodeURIComponent(customer)
}
