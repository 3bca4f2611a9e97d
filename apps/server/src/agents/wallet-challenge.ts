import { createHash } from 'node:crypto'
import { assert } from '../kernel/index.ts'
import type { AgentActionRow } from './action.ts'

/**
 * The text that a new key signs to prove that the reporting agent holds it. It follows from the lease, so a signature
 * for another action or an earlier lease proves nothing, and nothing has to be stored.
 *
 * The text cannot be mistaken for a transaction: EVM chains sign it with a prefix (EIP-191), and as a Solana message
 * its first bytes would demand more read-only signatures than signatures.
 */
export function walletChallenge(
  action: Pick<AgentActionRow, 'organization_id' | 'id' | 'payload' | 'lease_token'>,
): string {
  assert(action.lease_token !== null, 'only a leased action has a challenge')
  const nonce = createHash('sha256').update(action.lease_token).digest('hex')
  return [
    'Weir: this key belongs to a new wallet.',
    `Organization ${action.organization_id}, action ${action.id}, ${String(action.payload.blockchain)}`,
    `Nonce ${nonce}`,
  ].join('\n')
}
