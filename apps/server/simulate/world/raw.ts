import { createHash } from 'node:crypto'

/** A transaction as a wallet signs it. The signature is the sender's name: who can forge it is not what is tried here. */
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

export type Unsigned = Omit<RawTransaction, 'sender'> & { readonly sender?: string }

/** The same transaction is always the same bytes. */
export function toBytes(transaction: Unsigned): string {
  const { chainId, sender, nonce, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const fields = [chainId, sender ?? null, nonce, to, data, `${value}`, `${gas}`, `${maxFeePerGas}`]
  return `0x${Buffer.from(JSON.stringify([...fields, `${maxPriorityFeePerGas}`])).toString('hex')}`
}

/** Unsigned bytes have no sender. Throws on anything else than bytes of this chain. */
export function fromBytes(bytes: string): Unsigned {
  const fields = JSON.parse(Buffer.from(bytes.slice(2), 'hex').toString()) as (string | number | null)[]
  const [chainId, sender, nonce, to, data, value, gas, maxFee, tip] = fields
  return {
    chainId: Number(chainId),
    ...(typeof sender === 'string' ? { sender } : {}),
    nonce: Number(nonce),
    to: String(to),
    data: String(data),
    value: BigInt(value!),
    gas: BigInt(gas!),
    maxFeePerGas: BigInt(maxFee!),
    maxPriorityFeePerGas: BigInt(tip!),
  }
}

export function signedFrom(bytes: string): RawTransaction | undefined {
  const { sender, ...content } = fromBytes(bytes)
  return sender === undefined ? undefined : { ...content, sender }
}

/** Signs unsigned bytes, with fees in percent of the planned ones. */
export function sign(bytes: string, sender: string, feePercent = 100n): string {
  const planned = fromBytes(bytes)
  const raised = (fee: bigint) => (fee * feePercent + 99n) / 100n
  return toBytes({
    ...planned,
    sender,
    maxFeePerGas: raised(planned.maxFeePerGas),
    maxPriorityFeePerGas: raised(planned.maxPriorityFeePerGas),
  })
}

export const hashOf = (raw: string): string => `0x${createHash('sha256').update(raw).digest('hex')}`
