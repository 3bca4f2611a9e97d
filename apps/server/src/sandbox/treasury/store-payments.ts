import type { TreasuryPayment } from '../../chains/index.ts'
import { type Transact, transactOn } from '../../database/index.ts'
import type { SandboxChain, SandboxParts } from '../parts.ts'
import type { PreparedPayments } from '../treasury-port.ts'
import {
  hasNeverReceivedGas,
  lockTreasury,
  nextNonce,
  storeSend,
  type TreasuryPurpose,
  type TreasurySend,
} from './treasury-sends.ts'

export interface PlannedPayment extends TreasuryPayment {
  readonly purpose: TreasuryPurpose
}

/**
 * Signs payments with the treasury's next nonces and commits the bytes before anything is sent (rule 5). Of two
 * concurrent first calls for an address, only one pays it gas. Error: CHAIN_UNAVAILABLE.
 */
export function storePayments(
  parts: Pick<SandboxParts, 'db' | 'clock'>,
  chain: SandboxChain,
  planned: { organizationId: number; payments: readonly PlannedPayment[]; prepared: PreparedPayments },
  transact: Transact<TreasurySend[]> = transactOn(parts.db),
): Promise<TreasurySend[]> {
  const { organizationId, payments, prepared } = planned
  const { treasury } = chain
  return transact(async (tx) => {
    await lockTreasury(tx, chain)
    let nonce = await nextNonce(tx, chain, prepared.nextNumber)
    const sends: TreasurySend[] = []
    for (const { purpose, ...payment } of payments) {
      if (purpose === 'gas' && !(await hasNeverReceivedGas(tx, chain, payment.to))) continue
      const { raw, hash } = await prepared.sign(nonce, payment)
      const send = { ...payment, organizationId, purpose, sender: treasury.address, nonce, raw, hash }
      await storeSend(tx, chain, send, parts.clock)
      sends.push({ purpose, nonce, hash, raw })
      nonce += 1
    }
    return sends
  })
}
