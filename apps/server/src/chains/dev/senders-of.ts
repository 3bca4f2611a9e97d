import { decodeSigned } from '../evm/transactions/decode-signed.ts'
import { decodeTransaction } from '../solana/transactions/message.ts'

/** The senders of the signed transactions in a JSON-RPC body, in the form in which the fault layers look them up. */
export async function sendersOf(body: string): Promise<string[]> {
  if (!body.includes('eth_sendRawTransaction') && !body.includes('sendTransaction')) return []
  const senders = await Promise.all(requestsIn(body).map(senderOf))
  return senders.filter((sender) => sender !== undefined)
}

async function senderOf({ method, params }: { method?: unknown; params?: unknown }): Promise<string | undefined> {
  const raw: unknown = Array.isArray(params) ? params[0] : undefined
  if (typeof raw !== 'string') return undefined
  try {
    if (method === 'eth_sendRawTransaction') return (await decodeSigned(raw)).sender
    return method === 'sendTransaction' ? Object.keys(decodeTransaction(raw).signatures)[0] : undefined
  } catch {
    // The node reports what is wrong with them.
    return undefined
  }
}

function requestsIn(body: string): { method?: unknown; params?: unknown }[] {
  try {
    return [JSON.parse(body)].flat().filter((item) => typeof item === 'object' && item !== null)
  } catch {
    return []
  }
}
