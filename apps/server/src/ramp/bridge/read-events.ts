import { createHash } from 'node:crypto'
import type { Chains } from '../../chains/index.ts'
import type { InboundMessage, ProviderEvent } from '../provider/port.ts'
import { accountOfDrain, drainEvent, isDrainState, wasPaidBefore } from './drain.ts'
import { parseEnvelope, type WebhookEnvelope } from './envelope.ts'
import { findBridgeAccount } from './find-account.ts'
import { type IgnoredEventParts, recordIgnoredEvent } from './ignored-events.ts'
import { isJson, textOf, timeOf } from './json-fields.ts'
import { kybStatusOf } from './kyc-link.ts'
import { wasPaidOut } from './received-events.ts'
import { sequenceOf } from './sequence.ts'
import { type SignatureParts, verifySignature } from './signature.ts'
import { accountOfActivity, activityEvent, isPayment } from './virtual-account-activity.ts'

export interface EventParts extends IgnoredEventParts {
  readonly chains: Chains
}

/** An event, or why there is none. */
type Interpretation = ProviderEvent | string

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
    await recordIgnoredEvent(parts, { id, category: '', type: '', objectId: '', reason: 'not of the known form', body })
    return []
  }
  const meaning = await interpret(parts, envelope)
  if (typeof meaning !== 'string') return [meaning]
  const { id, category, type, objectId } = envelope
  await recordIgnoredEvent(parts, { id, category, type, objectId, reason: meaning, body })
  return []
}

function envelopeOf(body: string): WebhookEnvelope | undefined {
  try {
    const json: unknown = JSON.parse(body)
    return isJson(json) ? parseEnvelope(json) : undefined
  } catch {
    return undefined
  }
}

async function interpret(parts: EventParts, envelope: WebhookEnvelope): Promise<Interpretation> {
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

function ofKycLink({ id, objectId, object, at }: WebhookEnvelope): Interpretation {
  const status = kybStatusOf(object)
  if (!status) return 'a status that is not known'
  return { kind: 'onboarding', id, subject: objectId, sequence: sequenceOf(at, 0), status }
}

async function ofActivity(parts: EventParts, { id, type, object }: WebhookEnvelope): Promise<Interpretation> {
  if (!isPayment(object)) return 'about no money that came'
  const account = await findBridgeAccount(parts, accountOfActivity(object) ?? '', 'onramp')
  if (!account) return 'about no account of ours'
  return activityEvent(object, account, { id, isAmended: type.includes('updated') }) ?? INCOMPLETE
}

async function ofDrain(parts: EventParts, { id, object, changes, at }: WebhookEnvelope): Promise<Interpretation> {
  if (!isDrainState(object)) return 'a state that waits for a person at the partner'
  const account = await findBridgeAccount(parts, accountOfDrain(object) ?? '', 'offramp')
  if (!account) return 'about no account of ours'
  const paid = wasPaidBefore(changes) || (await wasPaidOut(parts.db, textOf(object, 'id') ?? ''))
  return drainEvent(object, account, { id, at: timeOf(object, 'updated_at') ?? at, wasPaid: paid }) ?? INCOMPLETE
}

const INCOMPLETE = 'lacks what an event needs'
