import { createHash } from 'node:crypto'
import { type Address, getAddress, type Hex, parseTransaction, serializeTransaction } from 'viem'

/** A transaction as a wallet signs it. The signature is the sender's name: forgery is not under test. */
export interface RawTransaction {
  readonly chainId: number
  readonly sender: string
  readonly nonce: number
  readonly to: string
  readonly data: string
  readonly value: bigint
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

type Unsigned = Omit<RawTransaction, 'sender'>

/** Signed bytes: the same transaction always gives the same bytes, unless its signer salts its signatures. */
export function toBytes(transaction: RawTransaction, salt?: number): string {
  const { chainId, sender, nonce, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const fields = [chainId, sender, nonce, to, data, `${value}`, `${gas}`, `${maxFeePerGas}`, `${maxPriorityFeePerGas}`]
  if (salt !== undefined) fields.push(salt)
  return `0x${Buffer.from(JSON.stringify(fields)).toString('hex')}`
}

/** Decodes signed bytes; `undefined` when they are not signed. */
export function signedFrom(bytes: string): RawTransaction | undefined {
  const text = Buffer.from(bytes.slice(2), 'hex').toString()
  if (!text.startsWith('[')) return undefined
  const [chainId, sender, nonce, to, data, value, gas, maxFee, tip] = JSON.parse(text) as [
    number,
    string,
    number,
    ...string[],
  ]
  return {
    chainId,
    sender,
    nonce,
    to: to!,
    data: data!,
    value: BigInt(value!),
    gas: BigInt(gas!),
    maxFeePerGas: BigInt(maxFee!),
    maxPriorityFeePerGas: BigInt(tip!),
  }
}

/** Encodes a real EIP-1559 transaction: the service itself reads unsigned bytes. */
export function toUnsigned({ to, data, ...transaction }: Unsigned): string {
  return serializeTransaction({ type: 'eip1559', ...transaction, to: to as Address, data: data as Hex })
}

export function fromUnsigned(bytes: string): Unsigned {
  const { chainId, nonce = 0, to, data = '0x', value = 0n, gas, ...fees } = parseTransaction(bytes as Hex)
  const { maxFeePerGas, maxPriorityFeePerGas } = fees as { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  return { chainId: chainId!, nonce, to: getAddress(to!), data, value, gas: gas!, maxFeePerGas, maxPriorityFeePerGas }
}

/** Signs unsigned bytes, with fees in percent of the planned ones. Another salt gives another signature. */
export function sign(bytes: string, sender: string, feePercent = 100n, salt?: number): string {
  const planned = fromUnsigned(bytes)
  const raised = (fee: bigint) => (fee * feePercent + 99n) / 100n
  const fees = {
    maxFeePerGas: raised(planned.maxFeePerGas),
    maxPriorityFeePerGas: raised(planned.maxPriorityFeePerGas),
  }
  return toBytes({ ...planned, sender, ...fees }, salt)
}

export const hashOf = (raw: string): string => `0x${createHash('sha256').update(raw).digest('hex')}`
