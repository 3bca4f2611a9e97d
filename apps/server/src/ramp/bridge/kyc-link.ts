import type { KybStatus } from '../../database/index.ts'
import { type Clock, Failure } from '../../kernel/index.ts'
import type { Applicant, Onboarding, OnboardingEvent } from '../provider/port.ts'
import { BridgeApiError, type BridgeClient } from './client.ts'
import { createOnce, type IntentParts } from './create-once.ts'
import { type Json, objectOf, textOf } from './json-fields.ts'
import { sequenceOf } from './sequence.ts'

export interface KycLinkParts extends IntentParts {
  readonly clock: Clock
  readonly client: BridgeClient
  /** What the partner writes to customers is sent here: it wants an address for each, and we ask nobody for his. */
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
 * Begins a verification. An organization that begins again gets the link that it has: the partner goes on with the same
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
    // There is one link for an address, and this address is ours alone: an answer to an earlier call was lost.
    const existing = error instanceof BridgeApiError ? objectOf(error.body, 'existing_kyc_link') : undefined
    if (existing) return existing
    throw error
  }
}

/** Both the terms of service and the form must be gone through: the first page leads on to the second. */
function hostedFormUrl(link: Json): string {
  const form = textOf(link, 'kyc_link') ?? ''
  const terms = textOf(link, 'tos_link')
  if (terms === undefined || textOf(link, 'tos_status') === 'approved') return absolute(form)
  const url = new URL(absolute(terms))
  url.searchParams.set('redirect_uri', absolute(form))
  return url.href
}

const absolute = (link: string): string => (link.includes('://') ? link : `https://${link}`)

/** How far a verification is; `undefined` for a status that the reference does not know. */
export function kybStatusOf(link: Json): KybStatus | undefined {
  const status = textOf(link, 'kyc_status') ?? ''
  if (status === 'approved') return textOf(link, 'tos_status') === 'pending' ? 'submitted' : 'approved'
  return Object.hasOwn(STATUS, status) ? STATUS[status] : undefined
}

/** What the partner says of a verification now. Error: RAMP_UNAVAILABLE. */
export async function fetchOnboardingEvent(
  { client, clock }: Pick<KycLinkParts, 'client' | 'clock'>,
  reference: string,
): Promise<OnboardingEvent | undefined> {
  // The answer is at least as new as the moment before the question.
  const sequence = sequenceOf(clock.now().getTime(), 0)
  const link = await client.get(`/kyc_links/${encodeURIComponent(reference)}`)
  const status = link && kybStatusOf(link)
  return status && { kind: 'onboarding', id: `${reference}:${sequence}`, subject: reference, sequence, status }
}

/** The customer behind a verification; the partner makes one at the latest when it approves. */
export async function fetchBridgeCustomerId(
  { client }: Pick<KycLinkParts, 'client'>,
  reference: string,
): Promise<string> {
  const customer = textOf(await client.get(`/kyc_links/${encodeURIComponent(reference)}`), 'customer_id')
  if (customer === undefined) throw new Failure('KYB_NOT_APPROVED')
  return encodeURIComponent(customer)
}
