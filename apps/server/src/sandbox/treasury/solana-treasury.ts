import { type SimulationResult, type SvmChain, signSolanaPayment, solanaPaymentCall } from '../../chains/index.ts'
import { SOLANA_FAUCET_MAX } from '../../kernel/index.ts'
import type { Treasury } from '../treasury-port.ts'

/** Ten SOL. */
const GAS_GIFT = 10n ** 10n

export function solanaTreasury(unstruck: SvmChain, purse: { address: string; secretKey: Uint8Array }): Treasury {
  const { address } = purse
  return {
    address,
    key: Buffer.from(purse.secretKey).toString('base64'),
    gasGift: GAS_GIFT,
    limits: SOLANA_FAUCET_MAX,
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
    firstUnfinalizedNonces: async (senders) => senders.map(() => Number.MAX_SAFE_INTEGER),
  }
}
