import type { SolanaRules } from '@weir/verify'
import type { SignedTransaction } from '../journal/index.ts'
import { blockhashOf } from '../sign/index.ts'
import { identityProblems, servesGenesis } from './chain-identity.ts'
import type { RpcAnswer } from './endpoint.ts'
import { inContext, isFlag, isHeight, isStatuses, isText } from './forms.ts'
import { solanaPayout } from './payout.ts'
import { type Node, NodeUnavailable, type SendResult, type TransactionState } from './port.ts'
import { isCertainlyUnsent, type Rpc, resultOf } from './rpc.ts'

/** The cluster accepts a blockhash for this many blocks. */
const BLOCKHASH_BLOCKS = 150
/** How many blocks a node may have lagged when it returned the height. */
const BEHIND_BLOCKS = 40
const PREFLIGHT_FAILED = -32_002

export function createSolanaNode(
  { blockchain, genesisHash }: SolanaRules,
  rpc: Rpc,
  commitment: 'finalized' | 'confirmed',
): Node {
  /** Asked again before each signature: the cluster of the list, whatever an endpoint said at first. */
  async function genesis(): Promise<string> {
    const found = await rpc.read('getGenesisHash', [], isText)
    if (genesisHash === null || found === genesisHash) return found
    throw new NodeUnavailable(`${blockchain} is the cluster ${found} now, but the list says a different one`)
  }
  async function serves(wanted: string): Promise<boolean> {
    if (genesisHash !== null) return (await genesis()) === wanted
    const found = await Promise.all(rpc.endpoints.map(({ request }) => request('getGenesisHash', [])))
    return servesGenesis(
      found.map((answer) => resultOf(answer, isText)),
      wanted,
    )
  }
  return {
    blockchain,
    family: 'svm',
    genesis,
    serves,
    height: () => rpc.read('getBlockHeight', [{ commitment: 'confirmed' }], isHeight),
    identityProblems: () => identityProblems(rpc),
    send: (entry) => send(rpc, entry),
    payout: (of) => solanaPayout(rpc, of),
    transactionCounts: async () => null,
    transactionState,
  }

  /**
   * Bytes are dead when final blocks are past the last one that accepts the blockhash, the cluster rejects it, and the
   * history, read after that, has no such signature. All endpoints that respond must agree.
   */
  async function transactionState({ hash, raw, height }: SignedTransaction): Promise<TransactionState> {
    const heights = await rpc.readAll('getBlockHeight', [{ commitment }], isHeight)
    const tooOld = height !== null && heights.every((final) => final > height + BLOCKHASH_BLOCKS + BEHIND_BLOCKS)
    const asked = [blockhashOf(raw), { commitment: 'confirmed' }]
    const valid = await rpc.readAll('isBlockhashValid', asked, inContext(isFlag))
    const history = [[hash], { searchTransactionHistory: true }]
    const statuses = await rpc.readAll('getSignatureStatuses', history, inContext(isStatuses))
    const status = statuses.flatMap(({ value }) => value[0] ?? [])[0]
    if (status !== undefined) {
      const isFinal = status.confirmationStatus === 'finalized' || status.confirmationStatus === commitment
      return isFinal ? 'final' : 'included'
    }
    return tooOld && valid.every(({ value }) => !value) ? 'dead' : 'lost'
  }
}

/** The agent rebroadcasts; the node does not retry. */
async function send(rpc: Rpc, { raw }: SignedTransaction): Promise<SendResult> {
  const reasons: string[] = []
  let mayBeOnItsWay = false
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' }
  for await (const answer of rpc.each('sendTransaction', [raw, options])) {
    const said: SendResult = answer instanceof Error ? { outcome: 'unknown', reason: answer.message } : judge(answer)
    if (said.outcome === 'accepted') return said
    if (said.outcome !== 'unknown' && !mayBeOnItsWay) return said
    reasons.push(said.reason)
    mayBeOnItsWay ||= !isCertainlyUnsent(answer)
  }
  return { outcome: 'unknown', reason: reasons.join('; ') }
}

/**
 * Only the preflight simulation is conclusive. An unknown blockhash may be expired, or too new for this node; either way
 * nothing was sent, and the agent retries while the bytes can land.
 */
function judge({ error }: RpcAnswer): SendResult {
  if (error == null) return { outcome: 'accepted' }
  const { err } = (error.data ?? {}) as { err?: unknown }
  if (err === 'AlreadyProcessed') return { outcome: 'accepted' }
  const reason = error.message
  if (err === 'BlockhashNotFound') return { outcome: 'stale', reason }
  return { outcome: error.code === PREFLIGHT_FAILED ? 'refused' : 'unknown', reason }
}
