import type { EvmRules } from '@weir/verify'
import type { SignedTransaction } from '../journal/index.ts'
import { evmPayout } from './payout.ts'
import type { Node, SendResult, TransactionState } from './port.ts'
import type { Rpc } from './rpc.ts'

/** `latest` where every block is final immediately, as on the embedded chains. */
export type FinalTag = 'finalized' | 'latest'

export function createEvmNode(rules: EvmRules, rpc: Rpc, finalTag: FinalTag): Node {
  const block = (tag: string) =>
    rpc.read<{ number: string; hash: string; parentHash: string }>('eth_getBlockByNumber', [tag, false])
  return {
    blockchain: rules.blockchain,
    family: 'evm',
    // Block 1 names its parent. After a restart, an embedded chain's block 0 may differ from it.
    genesis: async () => (await block('0x1')).parentHash,
    height: async () => null,
    async checkIdentity() {
      const chainId = Number(await rpc.read<string>('eth_chainId', []))
      if (chainId !== rules.chainId) {
        throw new Error(
          `the RPC endpoint of ${rules.blockchain} serves chain ${chainId}, but the list says ${rules.chainId}`,
        )
      }
    },
    send: (entry) => send(rpc, entry),
    payout: (of) => evmPayout(rpc, of),
    transactionState: (entry) => fate(entry),
  }

  /**
   * Bytes are dead when a final transaction other than these bytes has used the nonce. All endpoints that respond must
   * agree, because new bytes may be signed in place of dead ones.
   */
  async function fate({ hash, signer, nonce }: SignedTransaction): Promise<TransactionState> {
    const receipt = await rpc.read<{ blockNumber: string } | null>('eth_getTransactionReceipt', [hash])
    if (receipt !== null) {
      const final = await block(finalTag)
      return BigInt(final.number) >= BigInt(receipt.blockNumber) ? 'final' : 'included'
    }
    const counts = await rpc.readAll<string>('eth_getTransactionCount', [signer, finalTag])
    const found = await rpc.readAll<{ blockNumber: string | null } | null>('eth_getTransactionByHash', [hash])
    // It may have been included between the two requests.
    const known = found.find((one) => one !== null)
    if (known != null) return known.blockNumber === null ? 'pending' : 'included'
    return counts.every((count) => Number(count) > nonce!) ? 'dead' : 'lost'
  }
}

const KNOWN = /already ?known|already imported|already exists|known transaction|same hash/i
const STALE = /nonce (is )?too low|nonce .*already used|OldNonce/i
const REFUSED =
  /insufficient ?(funds|balance)|upfront cost|underpriced|fee ?too ?low|less than block base fee|fee cap less|gas price (is )?(too low|below)|intrinsic gas|exceeds block gas|exceeds the configured cap|invalid (chain|sender|signature|signer)|not supported/i

/**
 * Sends to the endpoints in turn until one accepts. A refusal is certain only if no earlier endpoint may have
 * accepted the bytes.
 */
async function send(rpc: Rpc, { raw, hash }: SignedTransaction): Promise<SendResult> {
  const reasons: string[] = []
  let mayBeOnItsWay = false
  for await (const answer of rpc.each('eth_sendRawTransaction', [raw])) {
    const said = answer instanceof Error ? answer.message : answer.error?.message
    if (said === undefined || KNOWN.test(said)) return { outcome: 'accepted' }
    // Nodes also say so about a transaction that a block already includes.
    if (STALE.test(said) && (await rpc.read('eth_getTransactionByHash', [hash]).catch(() => null)) !== null) {
      return { outcome: 'accepted' }
    }
    if (!mayBeOnItsWay && STALE.test(said)) return { outcome: 'stale', reason: said }
    if (!mayBeOnItsWay && REFUSED.test(said)) return { outcome: 'refused', reason: said }
    reasons.push(said)
    mayBeOnItsWay = true
  }
  return { outcome: 'unknown', reason: reasons.join('; ') }
}
