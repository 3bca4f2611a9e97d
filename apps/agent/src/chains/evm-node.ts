import type { SignedTransaction } from '../journal/index.ts'
import { identityProblems } from './chain-identity.ts'
import type { RpcAnswer } from './endpoint.ts'
import { evmGenesis, evmServes } from './evm-genesis.ts'
import { isHeader, isQuantity, isReceipt, isTransaction } from './forms.ts'
import { evmPayout } from './payout.ts'
import type { Node, SendResult, TransactionCounts, TransactionState } from './port.ts'
import { isCertainlyUnsent, type Rpc } from './rpc.ts'

/** `latest` where every block is final immediately, as on the embedded chains. */
export type FinalTag = 'finalized' | 'latest'

export function createEvmNode(blockchain: string, rpc: Rpc, finalTag: FinalTag): Node {
  const block = (tag: string) => rpc.read('eth_getBlockByNumber', [tag, false], isHeader)
  return {
    blockchain,
    family: 'evm',
    genesis: () => evmGenesis(rpc),
    serves: (genesis) => evmServes(rpc, genesis),
    height: async () => null,
    identityProblems: () => identityProblems(rpc),
    send: (entry) => send(rpc, entry),
    payout: (of) => evmPayout(rpc, of),
    transactionCounts,
    transactionState: (entry) => fate(entry),
  }

  async function transactionCounts(signer: string): Promise<TransactionCounts> {
    const lowest = async (tag: 'latest' | 'pending') =>
      Math.min(...(await rpc.readAll('eth_getTransactionCount', [signer, tag], isQuantity)).map(Number))
    const [included, known] = [await lowest('latest'), await lowest('pending')]
    return { included, known: Math.max(included, known) }
  }

  /**
   * Bytes are dead when a final transaction other than these bytes has used the nonce. All endpoints that respond must
   * agree, because new bytes may be signed in place of dead ones.
   */
  async function fate({ hash, signer, nonce }: SignedTransaction): Promise<TransactionState> {
    const receipt = await rpc.read('eth_getTransactionReceipt', [hash], isReceipt)
    if (receipt !== null) {
      const final = await block(finalTag)
      return BigInt(final.number) >= BigInt(receipt.blockNumber) ? 'final' : 'included'
    }
    const counts = await rpc.readAll('eth_getTransactionCount', [signer, finalTag], isQuantity)
    const found = await rpc.readAll('eth_getTransactionByHash', [hash], isTransaction)
    // It may have been included between the two requests.
    const known = found.find((one) => one !== null)
    if (known != null) return known.blockNumber === null ? 'pending' : 'included'
    return counts.every((count) => Number(count) > nonce!) ? 'dead' : 'lost'
  }
}

const KNOWN = /already ?known|already imported|already exists|known transaction|same hash/i
const STALE = /nonce (is )?too low|nonce .*already used|OldNonce/i
const REFUSED =
  /insufficient ?(funds|balance)|upfront cost|underpriced|fee ?too ?low|less than block base fee|fee cap less|gas price (is )?(too low|below)|intrinsic gas|exceeds block gas|exceeds the configured cap|invalid (chain|sender|signature|signer)|transaction type not supported/i

/**
 * Sends to the endpoints in turn until one accepts. A refusal is certain only if no earlier endpoint may have
 * accepted the bytes.
 */
async function send(rpc: Rpc, { raw, hash }: SignedTransaction): Promise<SendResult> {
  const reasons: string[] = []
  let mayBeOnItsWay = false
  for await (const answer of rpc.each('eth_sendRawTransaction', [raw])) {
    const said = reasonOf(answer)
    if (isCertainlyUnsent(answer)) {
      reasons.push(said ?? '')
      continue
    }
    if (said === undefined || KNOWN.test(said)) return { outcome: 'accepted' }
    // Nodes also say so about a transaction that a block already includes.
    if (
      STALE.test(said) &&
      (await rpc.read('eth_getTransactionByHash', [hash], isTransaction).catch(() => null)) !== null
    ) {
      return { outcome: 'accepted' }
    }
    if (!mayBeOnItsWay && STALE.test(said)) return { outcome: 'stale', reason: said }
    if (!mayBeOnItsWay && REFUSED.test(said)) return { outcome: 'refused', reason: said }
    reasons.push(said)
    mayBeOnItsWay = true
  }
  return { outcome: 'unknown', reason: reasons.join('; ') }
}

/** Undefined: it was accepted. */
function reasonOf(answer: RpcAnswer | Error): string | undefined {
  if (answer instanceof Error) return answer.message
  return answer.error == null ? undefined : String(answer.error.message)
}
