import { setTimeout as pause } from 'node:timers/promises'
import { Failure, TREASURY_RESEND_INTERVAL_MS, TREASURY_SEND_TIMEOUT_MS } from '../../kernel/index.ts'
import type { SandboxChain, SandboxParts } from '../parts.ts'
import { type Inclusion, recordTreasuryInclusions } from './record-treasury-inclusions.ts'
import { resendStored } from './resend-stored.ts'
import type { TreasurySend } from './treasury-sends.ts'

/**
 * Sends stored payments and waits until all of them are in blocks, failed ones included. Error: CHAIN_UNAVAILABLE, with
 * the first payment's hash in `details.txHash`, when that takes too long. The stored payments are then sent later,
 * once.
 */
export async function sendAndWait(
  parts: Pick<SandboxParts, 'db' | 'log'>,
  chain: SandboxChain,
  sends: readonly TreasurySend[],
): Promise<Inclusion[]> {
  try {
    for (const { raw } of sends) await chain.faultFree.broadcast(raw)
    const hashes = sends.map(({ hash }) => hash)
    let sinceSent = 0
    for (let waited = 0, wait = 5; waited <= TREASURY_SEND_TIMEOUT_MS; waited += wait, wait = Math.min(wait * 2, 160)) {
      const inclusions = await recordTreasuryInclusions(parts, chain, hashes)
      if (inclusions.length === hashes.length) return inclusions
      await pause(wait)
      sinceSent += wait
      if (sinceSent < TREASURY_RESEND_INTERVAL_MS) continue
      sinceSent = 0
      await resendStored(parts, chain)
    }
  } catch (error) {
    throw timeoutFailure(sends, error)
  }
  throw timeoutFailure(sends)
}

function timeoutFailure(sends: readonly TreasurySend[], cause?: unknown): Failure {
  return new Failure('CHAIN_UNAVAILABLE', {
    message: 'The transfer is stored but not included yet; it will be sent when the chain is available.',
    details: { txHash: sends[0]?.hash },
    cause,
  })
}
