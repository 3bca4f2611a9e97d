import { type SimulationResult, type SvmChain, signSolanaPayment, solanaPaymentCall } from '../../chains/index.ts'
import type { Treasury } from './treasury.ts'

/** Ten SOL. */
const GAS_GIFT = 10n ** 10n
/** Ten thousand SOL of a million; and what fits many times over into a supply of 64 bits. */
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
        // Each is a transaction of its own, and none depends on another.
        simulation: tried.find(({ ok }) => !ok) ?? { ok: true, gas: [] },
        nextNumber: 0,
        sign: (number, payment) => signSolanaPayment({ ...purse, senderState, number }, payment),
      }
    },
    // Each block is on disk before anybody is told of it.
    firstUnfinalizedNonce: async () => Number.MAX_SAFE_INTEGER,
  }
}
