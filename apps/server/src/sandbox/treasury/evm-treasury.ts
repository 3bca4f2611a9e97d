import type { Hex } from 'viem'
import { type EvmChain, paymentCall, signPayment } from '../../chains/index.ts'
import { EVM_FAUCET_MAX } from '../../kernel/index.ts'
import type { Treasury } from '../treasury-port.ts'

/** Ten native coins: enough for thousands of operations. */
const GAS_GIFT = 10n ** 19n
/** The base fee may rise a lot before stored bytes are sent again, and the treasury's coins cost nothing. */
const FEE_HEADROOM = 20n

/** `account` may derive its key when it is first read, so nothing reads it before a payment is signed. */
export function evmTreasury(
  unstruck: EvmChain,
  account: { readonly address: string; readonly privateKey: Hex },
): Treasury {
  const { address } = account
  return {
    address,
    get key() {
      return account.privateKey
    },
    gasGift: GAS_GIFT,
    limits: EVM_FAUCET_MAX,
    async prepare(payments) {
      const [facts, simulation] = await Promise.all([
        unstruck.senderState(address),
        unstruck.simulate(address, payments.map(paymentCall)),
      ])
      const slot = {
        key: account.privateKey,
        chainId: unstruck.network.chainId!,
        maxFeePerGas: facts.maxFeePerGas * FEE_HEADROOM,
        maxPriorityFeePerGas: facts.maxPriorityFeePerGas,
      }
      return {
        simulation,
        nextNumber: facts.nonces.pending,
        sign: (nonce, payment) => signPayment({ ...slot, nonce }, payment),
      }
    },
    // A chain that lost its last blocks forgets used nonces.
    firstUnfinalizedNonces: (senders) => unstruck.finalNonces(senders),
  }
}
