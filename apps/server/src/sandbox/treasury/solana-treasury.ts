import { type SimulationResult, type SvmChain, signSolanaPayment, solanaPaymentCall } from '../../chains/index.ts'
import type { Treasury } from './treasury.ts'

/** Ten SOL. */
const GAS_GIFT = 10n ** 10n
/** Ten thousand SOL out of a million, and token limits that fit many times into a 64-bit supply. */
const LIMITS = { native: 10n ** 13n, token: 10n ** 15n } as const

export function solanaTreasury(unstruck: SvmChain, purse: { address: string; secretKey: Uint8Array }): Treasury {
  const { address } = purse
  return {
    address,
    key: Buffer.from(purse.secretKey).toString('base64'),
    gasGift: GAS_GIFT,
    limits: LIMITS,
    async prepare(payments) {
      const simulate = async (index: number): Promise<SimulationResult> => {
        const tried = await unstruck.simulate(address, [await solanaPaymentCall(address, payments[index]!)])
        return tried.ok ? tried : { ...tried, index }
      }
      const [senderState, ...tried] = await Promise.all([
        unstruck.senderState(address),
        ...payments.map((_, index) => simulate(index)),
      ])
      return {
        // Each payment is an independent transaction.
        simulation: tried.find(({ ok }) => !ok) ?? { ok: true, gas: [] },
        nextNumber: 0,
        sign: (number, payment) => signSolanaPayment({ ...purse, senderState, number }, payment),
      }
    },
    // A block is on disk before anyone can see it.
    firstUnfinalizedNonce: async () => Number.MAX_SAFE_INTEGER,
  }
}
