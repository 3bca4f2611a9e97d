import type { Block, Chain } from '../../../chains/index.ts'
import {
  type CallBatcher,
  inTransaction,
  isInfrastructureFailure,
  runBatch,
  runBatched,
} from '../../../database/index.ts'
import { SETTLEMENT_BATCH } from '../../../kernel/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { lockWallets } from '../../lifecycle/reads/lock-wallets.ts'
import { READ_OPERATION } from '../../lifecycle/reads/read-operations.ts'
import { isUnfinished } from '../../lifecycle/states/operation-states.ts'
import { ADVANCE_TRANSACTION } from '../../lifecycle/transitions/advance-transactions.ts'
import { isNonceTaken, recordSubmission } from '../../transactions/mark-submitted.ts'
import { LINK_HASH } from '../../transactions/transaction-hashes.ts'
import { classifyTransactions, type Finding } from './classify-transactions.ts'
import { findCandidates } from './find-candidates.ts'

/**
 * Records which of our transactions are in a block that is not final yet. They get its number, and nothing is posted
 * (contract 8: included is not confirmed). Unreported transactions are matched and linked.
 *
 * The number of statements does not grow with the wallets. If some cannot be recorded together, each is recorded alone.
 */
export async function recordInclusions(parts: Parts, chain: Chain, block: Block): Promise<void> {
  const { blockchain } = chain.network
  const candidates = await findCandidates(parts.db, blockchain, block)
  const findings = classifyTransactions(block.transactions, candidates)
  const landed = findings.filter(({ kind }) => kind === 'landed')
  for (let from = 0; from < landed.length; from += SETTLEMENT_BATCH) {
    await runBatch(parts, landed.slice(from, from + SETTLEMENT_BATCH), {
      job: `record inclusions on ${blockchain}`,
      keyOf: ({ candidate }) => String(candidate.transaction.transactionId),
      together: (batch) => recordTogether(parts, block, batch),
      work: (finding) => recordAlone(parts, block, finding),
    })
  }
}

async function recordAlone(parts: Parts, block: Block, finding: Finding): Promise<void> {
  try {
    await recordTogether(parts, block, [finding])
  } catch (error) {
    // Inclusion is only informative: the wallet is settled, or quarantined, when the block is final.
    if (isInfrastructureFailure(error)) throw error
    parts.log.warn({ err: error, ...factsOf(finding, block) }, 'failed to record an inclusion')
  }
}

/** Findings of one wallet are recorded in their order: each reads what the one before it wrote. */
async function recordTogether(parts: Parts, block: Block, findings: readonly Finding[]): Promise<void> {
  const withoutNonce = await inTransaction(parts.db, async (tx) => {
    const refused: Finding[] = []
    await lockWallets(
      tx,
      findings.map(({ candidate }) => candidate),
    )
    const at = parts.clock.now()
    const byWallet = Map.groupBy(findings, ({ candidate }) => candidate.walletId)
    const works = [...byWallet.values()].map((own) => async (calls: CallBatcher) => {
      for (const finding of own) {
        const isRecorded = await recordInclusion(calls, { finding, block, at })
        if (!isRecorded) refused.push(finding)
      }
    })
    await runBatched(tx, works)
    return refused
  })
  for (const finding of withoutNonce)
    parts.log.warn(
      factsOf(finding, block),
      'an inclusion waits until its block is final: another transaction of the wallet has the nonce',
    )
}

/** What an operator searches the log for. */
function factsOf({ candidate: { organizationId, walletId, transaction } }: Finding, block: Block) {
  const { operationId, transactionId, blockchain } = transaction
  return { organizationId, walletId, operationId, transactionId, blockchain, blockNumber: block.number }
}

interface InclusionOfBlock {
  readonly finding: Finding
  readonly block: Block
  readonly at: Date
}

/** `false`: another of the wallet's transactions is pending or confirmed with its nonce. */
async function recordInclusion(
  calls: CallBatcher,
  { finding: { candidate, included }, block, at }: InclusionOfBlock,
): Promise<boolean> {
  const { organizationId } = candidate
  const { operationId, position, blockchain } = candidate.transaction
  const operation = await calls.call(READ_OPERATION, { organizationId, operationId })
  const transaction = operation.transactions[position]!
  if (!transaction.canStillLand) return true
  const isAwaited = isUnfinished(operation.state) && transaction.status !== 'failed'
  if (isAwaited && (await isNonceTaken(calls, operation, transaction))) return false
  const { transactionId } = transaction
  await calls.call(LINK_HASH, {
    organizationId,
    blockchain,
    transactionId,
    txHash: included.hash,
    source: 'watcher',
    at,
  })
  const inclusion = {
    event: 'included',
    block: { blockNumber: block.number, blockHash: block.hash, time: block.time },
    at,
  } as const
  if (isAwaited) await recordSubmission(calls, operation, transaction, { ...inclusion, txHash: included.hash })
  else await calls.call(ADVANCE_TRANSACTION, { operation, transaction, change: inclusion })
  return true
}
