import { AGENT_ACTION_ERASURE } from '../../agents/index.ts'
import { type ChangeParts, changeRequestErasure } from '../../changes/index.ts'
import { DESTINATION_ERASURE } from '../../destinations/index.ts'
import { type ErasureStep, IDENTITY_ERASURE } from '../../identity/index.ts'
import { MAILBOX_ERASURE } from '../../mail/index.ts'
import { RAMP_ERASURE } from '../../ramp/index.ts'
import { RESPONSE_ERASURE } from '../../surfaces/http/index.ts'
import { WALLET_ERASURE } from '../../wallets/index.ts'
import { WEBHOOK_ERASURE } from '../../webhooks/index.ts'

/**
 * How an organization's personal data is destroyed. The ramp is first, because a payment under way stops the erasure
 * before anything is lost; members are last, because the mailbox needs their addresses.
 */
export function erasureSteps(changes: Pick<ChangeParts, 'sealer'>): readonly ErasureStep[] {
  return [
    RAMP_ERASURE,
    changeRequestErasure(changes),
    WALLET_ERASURE,
    DESTINATION_ERASURE,
    AGENT_ACTION_ERASURE,
    WEBHOOK_ERASURE,
    RESPONSE_ERASURE,
    MAILBOX_ERASURE,
    ...IDENTITY_ERASURE,
  ]
}
