import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const MINTABLE = parseAbi(['function mint(address to, uint256 value)'])

/** Ample for a mint of any token of the development chains, and for a native transfer to a contract wallet. */
const TREASURY_GAS = 200_000n

export interface TreasuryPayment {
  /** A token that the treasury may mint, or the native coin. */
  readonly token: string | 'native'
  readonly to: string
  /** Base units. */
  readonly amount: bigint
}

export interface TreasurySlot {
  readonly key: Hex
  readonly chainId: number
  readonly nonce: number
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/**
 * Signed bytes of a payment out of a development chain's treasury, and their hash, before anything is sent: the caller
 * stores them, then sends (money-rules 5). Pure.
 */
export async function signPayment(slot: TreasurySlot, payment: TreasuryPayment): Promise<{ raw: Hex; hash: Hex }> {
  const { key, ...fields } = slot
  const { token, amount } = payment
  const to = payment.to as Address
  const call =
    token === 'native'
      ? { to, value: amount, data: '0x' as const }
      : {
          to: token as Address,
          value: 0n,
          data: encodeFunctionData({ abi: MINTABLE, functionName: 'mint', args: [to, amount] }),
        }
  const raw = await privateKeyToAccount(key).signTransaction({ type: 'eip1559', ...fields, gas: TREASURY_GAS, ...call })
  return { raw, hash: keccak256(raw) }
}

export function treasuryAddress(key: Hex): Address {
  return privateKeyToAccount(key).address
}
