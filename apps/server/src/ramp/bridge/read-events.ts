import { createHash } from 'node:crypto'
import type { Chains } from '../../chains/index.ts'
import type { InboundMessage, ProviderEvent } from '../port.ts'
import { accountFacts } from './account-row.ts'
import { accountOfActivity, activityEvent, isPayment } from './activity.ts'
import { accountOfDrain, drainEvent, isDrainState, wasPaidBefore } from './drain.ts'
import { type Envelope, envelopeIn } from './envelope.ts'
import { isJson, textOf, timeOf } from './fields.ts'
import { type IgnoredParts, ignore } from './ignored.ts'
import { statusOf } from './kyc-link.ts'
import { placeOf } from './sequence.ts'
import { type SignatureParts, verifySignature } from './signature.ts'
import { wasPaid } from './told.ts'

export interface EventParts extends IgnoredParts {
  readonly chains: Chains
}

/** An event, or why there is none. */
type Meaning = ProviderEvent | string

/**
 * What a message of the partner means to us. What is not the partner's is refused (UNAUTHORIZED); what is and means
 * nothing, or nothing that we know, is kept and ignored, so that the partner does not send it again.
 */
export async function readEvents(
  parts: EventParts & SignatureParts,
  message: InboundMessage,
): Promise<readonly ProviderEvent[]> {
  verifySignature(parts, message)
  const body = message.body.toString('utf8')
  const envelope = envelopeOf(body)
  if (!envelope) {
    const id = createHash('sha256').update(message.body).digest('hex')
    await ignore(parts, { id, category: '', type: '', objectId: '', reason: 'not of the known form', body })
    return []
  }
  const meaning = await meaningOf(parts, envelope)
  if (typeof meaning !== 'string') return [meaning]
  const { id, category, type, objectId } = envelope
  await ignore(parts, { id, category, type, objectId, reason: meaning, body })
  return []
}

function envelopeOf(body: string): Envelope | undefined {
  try {
    const json: unknown = JSON.parse(body)
    return isJson(json) ? envelopeIn(json) : undefined
  } catch {
    return undefined
  }
}

async function meaningOf(parts: EventParts, envelope: Envelope): Promise<Meaning> {
  switch (envelope.category) {
    case 'kyc_link':
      return ofKycLink(envelope)
    case 'virtual_account.activity':
      return ofActivity(parts, envelope)
    case 'liquidation_address.drain':
      return ofDrain(parts, envelope)
    default:
      return 'a category that means nothing to us'
  }
}

function ofKycLink({ id, objectId, object, at }: Envelope): Meaning {
  const status = statusOf(object)
  if (!status) return 'a status that is not known'
  return { kind: 'onboarding', id, subject: objectId, sequence: placeOf(at, 0), status }
}

async function ofActivity(parts: EventParts, { id, type, object }: Envelope): Promise<Meaning> {
  if (!isPayment(object)) return 'about no money that came'
  const account = await accountFacts(parts, accountOfActivity(object) ?? '', 'onramp')
  if (!account) return 'about no account of ours'
  return activityEvent(object, account, { id, isAmended: type.includes('updated') }) ?? INCOMPLETE
}

async function ofDrain(parts: EventParts, { id, object, changes, at }: Envelope): Promise<Meaning> {
  if (!isDrainState(object)) return 'a state that waits for a person at the partner'
  const account = await accountFacts(parts, accountOfDrain(object) ?? '', 'offramp')
  if (!account) return 'about no account of ours'
  const paid = wasPaidBefore(changes) || (await wasPaid(parts.db, textOf(object, 'id') ?? ''))
  return drainEvent(object, account, { id, at: timeOf(object, 'updated_at') ?? at, wasPaid: paid }) ?? INCOMPLETE
}

const INCOMPLETE = 'lacks what an event needs'
