import { createHash } from 'node:crypto'
import type { Chains } from '../../chains/index.ts'
import type { InboundMessage, ProviderEvent } from '../provider/port.ts'
import { accountOfDrain, drainEvent, isDrainState, wasPaidBefore } from './drain.ts'
import { parseEnvelope, type WebhookEnvelope } from './envelope.ts'
import { findBridgeAccount } from './find-account.ts'
import { type IgnoredEventParts, recordIgnoredEvent } from './ignored-events.ts'
import { isJson, timeOf } from './json-fields.ts'
import { kybStatusOf } from './kyc-link.ts'
import { sequenceOf } from './sequence.ts'
import { type SignatureParts, verifySignature } from './signature.ts'
import { accountOfActivity, activityEvent, isPayment } from './virtual-account-activity.ts'

export interface EventParts extends IgnoredEventParts {
  readonly chains: Chains
}

/** An event, or the reason why there is none. */
type Interpretation = ProviderEvent | string

/**
 * Converts a message of the partner to events. A message without a valid signature is rejected (UNAUTHORIZED). A signed
 * message without a known meaning is recorded and ignored, so that the partner does not resend it.
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
    await recordIgnoredEvent(parts, { id, category: '', type: '', objectId: '', reason: 'unknown form', body })
    return []
  }
  const interpretation = await interpret(parts, envelope)
  if (typeof interpretation !== 'string') return [interpretation]
  const { id, category, type, objectId } = envelope
  await recordIgnoredEvent(parts, { id, category, type, objectId, reason: interpretation, body })
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
      return 'irrelevant category'
  }
}

function ofKycLink({ id, objectId, object, at }: WebhookEnvelope): Interpretation {
  const status = kybStatusOf(object)
  if (!status) return 'unknown status'
  return { kind: 'onboarding', id, subject: objectId, sequence: sequenceOf(at, 0), status }
}

async function ofActivity(parts: EventParts, { id, type, object }: WebhookEnvelope): Promise<Interpretation> {
  if (!isPayment(object)) return 'not about a received payment'
  const account = await findBridgeAccount(parts, accountOfActivity(object) ?? '', 'onramp')
  if (!account) return 'unknown account'
  return activityEvent(object, account, { id, isAmended: type.includes('updated') }) ?? INCOMPLETE
}

async function ofDrain(parts: EventParts, { id, object, changes, at }: WebhookEnvelope): Promise<Interpretation> {
  if (!isDrainState(object)) return 'a state that the partner handles manually'
  const account = await findBridgeAccount(parts, accountOfDrain(object) ?? '', 'offramp')
  if (!account) return 'unknown account'
  const context = { id, at: timeOf(object, 'updated_at') ?? at, wasPaid: wasPaidBefore(changes) }
  return drainEvent(object, account, context) ?? INCOMPLETE
}

const INCOMPLETE = 'missing fields'
