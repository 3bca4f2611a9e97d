import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { EvmCall } from '../port/calls.ts'

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

export interface TreasurySigningContext {
  readonly key: Hex
  readonly chainId: number
  readonly nonce: number
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** The call of a payment, to be simulated before it is signed. Pure. */
export function paymentCall({ token, to, amount }: TreasuryPayment): EvmCall {
  if (token === 'native') return { family: 'evm', to, data: '0x', value: amount }
  const data = encodeFunctionData({ abi: MINTABLE, functionName: 'mint', args: [to as Address, amount] })
  return { family: 'evm', to: token, data, value: 0n }
}

/**
 * Signed bytes of a payment from a development chain's treasury and their hash, before anything is sent: the caller
 * stores them first, then sends (rule 5). Pure.
 */
export async function signPayment(
  slot: TreasurySigningContext,
  payment: TreasuryPayment,
): Promise<{ raw: Hex; hash: Hex }> {
  const { key, ...fields } = slot
  const { to, data, value } = paymentCall(payment)
  const raw = await privateKeyToAccount(key).signTransaction({
    type: 'eip1559',
    ...fields,
    gas: TREASURY_GAS,
    to: to as Address,
    data: data as Hex,
    value,
  })
  return { raw, hash: keccak256(raw) }
}

export function treasuryAddress(key: Hex): Address {
  return privateKeyToAccount(key).address
}
