import type { Dispatcher } from 'undici'
import type { AddressRules } from '../guard/address-rules.ts'
import { createGuardedAgent } from '../guard/guarded-agent.ts'
import { sendWebhook } from './send-webhook.ts'

/** A message to an address that the operator chose, outside the organizations' webhooks. */
export interface SignedMessage {
  readonly id: string
  readonly at: Date
  readonly body: string
}

/** Sends signed messages (Standard Webhooks) to one address, through the guard; throws if one was not accepted. */
export function signedPost(
  url: string,
  secret: string,
  rules: AddressRules,
  agent: Dispatcher = createGuardedAgent(rules),
): (message: SignedMessage) => Promise<void> {
  return async (message) => {
    const result = await sendWebhook({ agent, rules }, { ...message, url, secrets: [secret] })
    if (!result.ok) throw new Error(result.error ?? 'the message was not accepted')
  }
}
